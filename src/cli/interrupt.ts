// Ctrl-C and a polite kill: the call is cancelled, and within a second the process is gone whatever hangs.
import process from "node:process";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Time for the sandbox to stop and for the answer to be printed. */
const GRACE_MS = 800;

export interface Interrupt {
  signal: AbortSignal;
  /** Takes the handlers off again. */
  release(): void;
}

export function onInterrupt(): Interrupt {
  const controller = new AbortController();
  const interrupted = () => {
    if (controller.signal.aborted) return; // a terminal and a parent may both send it
    controller.abort(new Error("interrupted"));
    // Even process.exit() waits for a thread that is stuck in the operating system; only this does not.
    setTimeout(() => process.kill(process.pid, "SIGKILL"), GRACE_MS).unref();
  };
  for (const name of SIGNALS) process.on(name, interrupted);
  return {
    signal: controller.signal,
    release() {
      for (const name of SIGNALS) process.removeListener(name, interrupted);
    },
  };
}
