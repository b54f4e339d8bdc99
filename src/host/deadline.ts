// Waiting for what may never come (a folder on a network drive that is gone): the deadline and the caller's cancel are
// one race with it, and timer and listener are taken off in one place.
import { WikiError } from "../shared/errors.ts";

export async function within<T>(ms: number, signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new WikiError("deadline", deadlineMessage(ms))), ms);
    onAbort = () => reject(new WikiError("cancelled", CANCELLED));
    if (signal?.aborted) onAbort();
    signal?.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
    if (onAbort) signal?.removeEventListener("abort", onAbort);
  }
}

export const CANCELLED = "The call was cancelled. Nothing was changed.";

export function deadlineMessage(ms: number): string {
  const advice =
    "Ask for less (a smaller limit, a narrower query), run `pi-wiki index` once for a large vault, or allow more time (--timeout, PI_WIKI_TIMEOUT_MS).";
  return `No answer within ${Math.round(ms / 100) / 10} s. ${advice}`;
}
