// A progress bar on stderr, where that is a terminal; nothing anywhere else.
import { SingleBar } from "cli-progress";
import type { Progress } from "../shared/protocol.ts";
import { oneLine } from "../tools/render.ts";

export interface ProgressBar {
  show(progress: Progress): void;
  /** Takes the bar off the screen and gives the cursor back. */
  stop(): void;
}

export function progressBar(stream: NodeJS.WriteStream): ProgressBar | null {
  if (!stream.isTTY) return null;
  const bar = new SingleBar({
    stream,
    format: "{what} {bar} {value} of {total}",
    barsize: 30,
    barCompleteChar: "█",
    barIncompleteChar: "░",
    hideCursor: true,
    clearOnComplete: true,
    gracefulExit: false, // signals are ours: see interrupt.ts
  });
  let started = false;
  return {
    show({ what, done, total }) {
      const words = { what: oneLine(what) };
      if (!started) bar.start(total, done, words);
      else {
        bar.setTotal(total);
        bar.update(done, words);
      }
      started = true;
    },
    stop() {
      if (started) bar.stop();
    },
  };
}
