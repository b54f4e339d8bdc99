// A lane over the built worker and real Pyodide, below selection and envelopes: request text in, response text out.
import { loadAssets } from "../../src/assets/parts.ts";
import { Lane, type LaneCall } from "../../src/host/lane.ts";
import type { SandboxOptions } from "../../src/host/sandbox.ts";
import type { Operation, Payload } from "../../src/shared/envelope.ts";
import type { Reply, Request } from "../../src/shared/protocol.ts";

const packageRoot = new URL("../../", import.meta.url);
const assets = loadAssets(packageRoot); // once a test file; the threads share them

export interface RuntimeOptions extends Partial<Pick<SandboxOptions, "answer" | "beforeSealing" | "entry" | "wiki">> {
  /** Called for each sandbox that is started: a second one, where nothing failed, means that a request left something. */
  onStart?(): void;
}

export function laneOver(root: string | null, { onStart, ...options }: RuntimeOptions = {}): Lane {
  const made = async () => ({
    assets: await assets,
    root,
    wiki: "wiki",
    answer: async () => JSON.stringify({ error: { kind: "failed", message: "no model here" } }),
    entry: new URL("dist/worker.js", packageRoot),
    walkerEntry: new URL("dist/walker.js", packageRoot),
    ...options,
  });
  return new Lane(() => {
    onStart?.();
    return made();
  });
}

/** Resolves when the last request's leftovers have been looked for, too. */
export async function atRest(lane: Lane): Promise<void> {
  while (lane.busy) await new Promise((turn) => setImmediate(turn));
}

export function requestText(operation: Operation, args: Payload, shown = "/shown"): string {
  const request: Request = {
    operation,
    arguments: args,
    vault: { shown, wiki: "wiki" },
    remainingMs: 600_000,
    host: {},
  };
  return JSON.stringify(request);
}

/** One request below the envelope's check; the reply as the worker gave it. */
export function ask(lane: Lane, text: string, facts: Partial<LaneCall> = {}): Promise<Reply> {
  return lane.call({ deadlineMs: 600_000, needsListing: true, request: () => text, onTold: () => {}, ...facts });
}

export function textOf(reply: Reply): string {
  return new TextDecoder().decode(reply.response);
}
