// One look at Ollama because the user asked for it (`pi-wiki doctor --probe`): is it there, which digest has the model, does the
// model embed, and how long does one text take. Nothing else ever contacts it without a hybrid search.
import { type Connection, embed, OllamaTrouble } from "./embed.ts";
import type { Trouble } from "./trouble.ts";

export type Probe =
  | { ok: true; model: string; digest: string; dimension: number; milliseconds: number }
  | { ok: false; error: Trouble };

export async function probeOllama(connection: Connection): Promise<Probe> {
  const began = performance.now();
  try {
    const { model, digest, dimension } = await embed(["A page of a wiki."], connection);
    return { ok: true, model, digest, dimension, milliseconds: Math.round(performance.now() - began) };
  } catch (error) {
    if (error instanceof OllamaTrouble) return { ok: false, error: error.trouble };
    throw error;
  }
}
