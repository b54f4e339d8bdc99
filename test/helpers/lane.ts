// Makes a lane over a fixture worker (fixtures/workers), which does one thing instead of running Python.
import { Lane, type LaneCall } from "../../src/host/lane.ts";
import type { Reply } from "../../src/shared/protocol.ts";

export function laneOver(fixture: string): Lane {
  const entry = new URL(`../../fixtures/workers/${fixture}.mjs`, import.meta.url);
  const assets = { parts: {} as never, versions: { pyodide: "0" }, coldReason: null };
  return new Lane(async () => ({ assets, root: null, wiki: "wiki", answer: async () => "{}", entry }));
}

export function callOf(text: string, facts: Partial<LaneCall> = {}): LaneCall {
  return { deadlineMs: 60_000, needsListing: false, request: () => text, onTold: () => {}, ...facts };
}

export function textOf(reply: Reply): string {
  return new TextDecoder().decode(reply.response);
}
