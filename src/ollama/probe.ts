// One look at Ollama because the user asked for it (`pi-wiki doctor --probe`): is it there, which version, which digest has
// the model, does the model embed, and how long does one text take. Without that wish or a hybrid search nothing contacts it.
import { type Connection, Ollama, OllamaTrouble } from "./embed.ts";
import type { Trouble } from "./trouble.ts";

/** What was learned before anything went wrong. */
export interface Probe {
  /** Whether something that speaks as Ollama does is there. */
  answers: boolean;
  version: string | null;
  /** As configured. */
  model: string;
  digest: string | null;
  /** Numbers in a vector. */
  dimension: number | null;
  /** What one short text took. */
  milliseconds: number | null;
  error: Trouble | null;
}

export async function probeOllama(connection: Connection): Promise<Probe> {
  const { model } = connection;
  const probe: Probe = {
    answers: false,
    version: null,
    model,
    digest: null,
    dimension: null,
    milliseconds: null,
    error: null,
  };
  try {
    const ollama = new Ollama(connection);
    probe.version = await ollama.version();
    probe.answers = probe.version !== null;
    probe.digest = (await ollama.installed()).digest;
    probe.answers = true;
    const began = performance.now();
    const [vector] = await ollama.vectors(["A page of a wiki."]);
    probe.dimension = vector?.length ?? null;
    probe.milliseconds = Math.round(performance.now() - began);
  } catch (error) {
    if (!(error instanceof OllamaTrouble)) throw error;
    probe.error = error.trouble;
    probe.answers ||= error.trouble.kind === "model-missing";
  }
  return probe;
}
