// How long this thread's event loop was held up by what ran in it, on a machine that others use too. Two things are known
// of the time between two turns of the loop: how much of it Node was not waiting for events, and, on Linux, how much of
// it the thread could have run but had no processor. Neither a late wake-up nor a processor that others have is counted.
// What stays are locks of the kernel, held by a thread that has no processor: so the best of a few tries counts, since
// what the host does by itself it does each time.
import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";

const EVERY_MS = 2;
const TRIES = 3;
const SCHEDULED = "/proc/thread-self/schedstat"; // its second number

/** The longest time in milliseconds that the loop was held up while `work` went on, which is tried again where it is more than `most`. */
export async function heldUpDuring(work: () => Promise<void>, most: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && best > most; tries++) best = Math.min(best, await heldUpOnce(work));
  return best;
}

async function heldUpOnce(work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let last = clocks();
  const look = () => {
    const now = clocks();
    const without = now.at - last.at - (now.withoutProcessor - last.withoutProcessor);
    longest = Math.max(longest, Math.min(now.active - last.active, without));
    last = now;
  };
  const timer = setInterval(look, EVERY_MS);
  try {
    await work();
    look();
  } finally {
    clearInterval(timer);
  }
  return longest;
}

function clocks() {
  return {
    at: performance.now(),
    active: performance.eventLoopUtilization().active,
    withoutProcessor: waitedForProcessor(),
  };
}

function waitedForProcessor(): number {
  try {
    return Number(readFileSync(SCHEDULED, "utf8").split(" ")[1]) / 1e6;
  } catch {
    return 0;
  }
}
