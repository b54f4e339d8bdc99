// A second thread for large vaults: asking the operating system about fifty thousand files takes a quarter of a second
// in one thread and little more than half of that in two. It is started by the walker, is part of it, and ends with it.
import { availableParallelism } from "node:os";
import { type MessagePort, Worker } from "node:worker_threads";
import { type FileChunk, recordFiles } from "./walk-files.ts";

const WORTH_HELP = 512; // files; fewer are recorded before the other thread has woken up
const WORTH_STARTING = 2_000; // files in one batch; a small vault never pays for a second thread

interface HelperData {
  helpsWalking: true;
}

interface Task {
  id: number;
  /** Names travel as one text: fifty thousand of them one by one would cost more than what is saved. */
  chunks: { at: string; path: string; names: string }[];
  /** The next chunk that nobody has taken. Both threads take one at a time, so a late helper delays nothing. */
  next: Int32Array;
}

type Recorded = Map<number, Uint8Array>;

interface Answer {
  id: number;
  recorded: Recorded;
}

export function isHelperData(data: unknown): data is HelperData {
  return typeof data === "object" && data !== null && "helpsWalking" in data;
}

/** The helper thread's program. */
export function helpWalking(port: MessagePort): void {
  port.on("message", ({ id, chunks, next }: Task) => {
    const chunkAt = (i: number) => ({ ...chunks[i]!, names: chunks[i]!.names.split("/") });
    port.postMessage({ id, recorded: recordFreeChunks(next, chunks.length, chunkAt) } satisfies Answer);
  });
}

export class WalkHelper {
  /** The first walk runs while Python starts, and a second thread would take its processor. */
  mayStart = false;
  readonly #entry: URL;
  #thread: Worker | undefined;
  #online = false;
  readonly #asked = new Map<number, (recorded: Recorded) => void>();
  #lastId = 0;

  constructor(entry: URL) {
    this.#entry = entry;
  }

  /** Records the files of some chunks, some of them in the other thread where that pays. */
  async record(chunks: readonly FileChunk[]): Promise<Uint8Array[]> {
    const files = chunks.reduce((sum, { names }) => sum + names.length, 0);
    if (files >= WORTH_STARTING && this.mayStart) this.#start();
    if (!this.#online || files < WORTH_HELP) return chunks.map(recordFiles);
    const next = new Int32Array(new SharedArrayBuffer(4));
    const helped = this.#ask(chunks, next);
    const recorded = recordFreeChunks(next, chunks.length, (i) => chunks[i]!);
    if (recorded.size < chunks.length) {
      for (const [i, records] of await helped) recorded.set(i, records);
    }
    return chunks.map((_, i) => recorded.get(i)!);
  }

  #start(): void {
    if (this.#thread || availableParallelism() < 2) return;
    this.#thread = new Worker(this.#entry, {
      name: "pi-wiki-walk-helper",
      workerData: { helpsWalking: true } satisfies HelperData,
      env: {},
      stdin: false,
      resourceLimits: { maxYoungGenerationSizeMb: 8 }, // as for the walker itself
    });
    // Until it is there the walker works alone. An error of this thread is the walker's own, and ends it.
    this.#thread.once("online", () => {
      this.#online = true;
    });
    this.#thread.on("message", ({ id, recorded }: Answer) => {
      this.#asked.get(id)?.(recorded);
      this.#asked.delete(id);
    });
    this.#thread.unref(); // listening has made the thread count again
  }

  #ask(chunks: readonly FileChunk[], next: Int32Array): Promise<Recorded> {
    const id = ++this.#lastId;
    const texts = chunks.map(({ at, path, names }) => ({ at, path, names: names.join("/") }));
    this.#thread!.postMessage({ id, next, chunks: texts } satisfies Task);
    return new Promise((resolve) => this.#asked.set(id, resolve));
  }
}

function recordFreeChunks(next: Int32Array, count: number, chunkAt: (index: number) => FileChunk): Recorded {
  const recorded: Recorded = new Map();
  for (let i = Atomics.add(next, 0, 1); i < count; i = Atomics.add(next, 0, 1)) {
    recorded.set(i, recordFiles(chunkAt(i)));
  }
  return recorded;
}
