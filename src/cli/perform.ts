// One command from the sandbox to the screen: the answer on stdout, everything else on stderr.
import process from "node:process";
import { openWiki } from "../index.ts";
import type { Envelope, Operation, Payload } from "../shared/envelope.ts";
import { LIMITS } from "../shared/limits.ts";
import { failureWords } from "../tools/failure.ts";
import { onInterrupt } from "./interrupt.ts";
import { performIsolated } from "./isolated.ts";
import { nextCommand } from "./next.ts";
import { EXIT, type Settings } from "./program.ts";
import { progressBar } from "./progress.ts";
import { selected } from "./selected.ts";
import { answerWords } from "./words.ts";
import { writeIndex } from "./write-index.ts";

export async function perform(operation: Operation, args: Payload, settings: Settings): Promise<number> {
  if (settings.isolated) return performIsolated(operation, settings, args.hybrid === true || settings.probe === true);
  const bar = settings.json ? null : progressBar(process.stderr);
  const interrupt = onInterrupt();
  const endsAt = performance.now() + (settings.timeout ?? Number.POSITIVE_INFINITY);
  const wiki = openWiki({
    ...(settings.vault === undefined ? {} : { vault: settings.vault }),
    ...(settings.config === undefined ? {} : { config: settings.config }),
    ...(settings.wikiPath === undefined ? {} : { wikiPath: settings.wikiPath }),
    ...timeoutOf(operation, settings),
    env: process.env,
    cwd: process.cwd(),
  });
  try {
    const options = {
      signal: interrupt.signal,
      ...(bar ? { onProgress: bar.show } : {}),
      ...(settings.probe ? { probe: true } : {}),
    };
    const vault = operation === "index" ? (await selected(operation, settings)).vault : null;
    // Without a vault there is nothing to write into, and the call says why.
    const answer = vault
      ? await writeIndex(wiki, vault, args, options, endsAt)
      : await wiki.call(operation, args, options);
    bar?.stop();
    print(answer, settings, (await selected(operation, settings)).wiki);
    return answer.ok ? EXIT.ok : EXIT.failed;
  } finally {
    bar?.stop();
    await wiki.close();
    interrupt.release();
  }
}

/** A whole index takes as long as it takes; whoever set a time has decided. */
function timeoutOf(operation: Operation, { timeout }: Settings): { timeoutMs?: number } {
  if (timeout !== undefined) return { timeoutMs: timeout };
  return operation === "index" && !process.env.PI_WIKI_TIMEOUT_MS?.trim()
    ? { timeoutMs: LIMITS.callDeadlineMaxMs }
    : {};
}

function print(answer: Envelope, settings: Settings, wikiFolder: string): void {
  if (settings.json) say(process.stdout, JSON.stringify(answer));
  else if (!answer.ok) say(process.stderr, failureWords(answer));
  else say(process.stdout, [answerWords(answer), ...nextCommand(answer, wikiFolder)].join("\n\n"));
}

function say(stream: NodeJS.WriteStream, text: string): void {
  // A reader that has seen enough (`| head`) is no failure.
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  stream.write(`${text}\n`);
}
