// An agent's process with a lane of the built worker in it: runs each probe that arrives over IPC as the Python of one
// request. It prints nothing itself, so that whatever appears on its streams came from the sandbox.
import process from "node:process";
import { pathToFileURL } from "node:url";
import { loadAssets } from "../../src/assets/parts.ts";
import { Lane } from "../../src/host/lane.ts";
import { envelopeOf } from "../../src/host/response.ts";
import { type Envelope, failureFrom, type Operation, type Payload } from "../../src/shared/envelope.ts";

export interface Ask {
  id: number;
  operation: Operation;
  args: Payload;
  abortAfterMs?: number;
}

export interface Answer {
  id: number;
  envelope: Envelope;
  /** How often progress was told, and how many bytes of files came. */
  told: number;
  emitted: number;
  ms: number;
  exitCode: number | string | null;
}

const [root, vault, beforeSealing] = process.argv.slice(2) as [string, string, string];
const packageRoot = pathToFileURL(`${root}/`);
const assets = loadAssets(packageRoot);
const lane = new Lane(async () => ({
  assets: await assets,
  root: vault,
  wiki: "wiki",
  answer: async () => JSON.stringify({ error: "no model here" }),
  entry: new URL("dist/worker.js", packageRoot),
  walkerEntry: new URL("dist/walker.js", packageRoot),
  beforeSealing,
}));

process.on("message", async (message: Ask | "close") => {
  if (message === "close") {
    await lane.close();
    process.disconnect(); // and nothing else keeps the process alive
    return;
  }
  const { id, operation, args, abortAfterMs } = message;
  const started = performance.now();
  let told = 0;
  let emitted = 0;
  let envelope: Envelope;
  try {
    const request = {
      operation,
      arguments: args,
      vault: { shown: "/shown", wiki: "wiki" },
      remainingMs: 60_000,
      host: {},
    };
    const reply = await lane.call({
      deadlineMs: 60_000,
      signal: abortAfterMs === undefined ? undefined : AbortSignal.timeout(abortAfterMs),
      needsListing: operation === "search",
      request: () => JSON.stringify(request),
      onTold: (what) => {
        if (what.kind === "progress") told++;
        else emitted += what.bytes.length;
      },
    });
    envelope = envelopeOf(operation, reply);
  } catch (thrown) {
    envelope = failureFrom(operation, thrown);
  }
  const answer: Answer = {
    id,
    envelope,
    told,
    emitted,
    ms: performance.now() - started,
    exitCode: process.exitCode ?? null,
  };
  process.send?.(answer);
});
process.send?.("ready");
