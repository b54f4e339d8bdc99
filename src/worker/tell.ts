// Telling the host while the worker is busy: progress, and bytes of files. A flood waits here, in the sandbox, and never
// in the agent's memory or event loop.
import type { MessagePort } from "node:worker_threads";
import type { Progress } from "../shared/protocol.ts";
import { type Told, weight } from "../shared/told.ts";

const QUEUE_MAX_BYTES = 2 * (1024 + 64) * 1024; // two pieces of a file: one on its way while one is dealt with
const WAIT_MAX_MS = 60_000; // the host ends the worker long before
const PROGRESS_MAX_BYTES = 1024;

/** `queued` holds one number: the weight of what was told and not yet dealt with. */
export function makeTell(port: MessagePort, queued: SharedArrayBuffer): (told: Told) => boolean {
  const counter = new Int32Array(queued);
  return (told) => {
    const weighs = weight(told);
    for (;;) {
      const now = Atomics.load(counter, 0);
      if (now === 0 || now + weighs <= QUEUE_MAX_BYTES) break;
      if (told.kind === "progress") return true; // nobody misses one of so many
      if (Atomics.wait(counter, 0, now, WAIT_MAX_MS) === "timed-out") return false;
    }
    Atomics.add(counter, 0, weighs);
    port.postMessage(told);
    return true;
  };
}

/** `done total what`, as Python tells it; null for anything else. It is shown to people: no control characters. */
export function progressFrom(bytes: Uint8Array): Progress | null {
  if (bytes.length > PROGRESS_MAX_BYTES) return null;
  const match = /^(\d{1,12}) (\d{1,12}) (\P{C}{0,200})$/u.exec(Buffer.from(bytes).toString("utf8"));
  return match && { what: match[3]!, done: Number(match[1]), total: Number(match[2]) };
}
