// The only owner of worker threads: starts a sandbox (the thread that runs Python, and the walker that looks at the
// vault's folders beside it), answers its questions, and ends it. A thread that does not end is given up, never waited for.
import { MessageChannel, Worker } from "node:worker_threads";
import * as Comlink from "comlink";
import nodeEndpoint from "comlink/dist/esm/node-adapter.mjs";
import type { Assets } from "../assets/parts.ts";
import { WikiError } from "../shared/errors.ts";
import { LIMITS } from "../shared/limits.ts";
import type { Ready, Reply } from "../shared/protocol.ts";
import { type Told, weight } from "../shared/told.ts";
import type { WorkerApi, WorkerData } from "../worker/entry.ts";
import type { WalkerApi, WalkerData } from "../worker/walker.ts";

export interface SandboxOptions {
  /** May still be on its way: threads start meanwhile. */
  assets: Assets | Promise<Assets>;
  /** The vault's real folder; null for a sandbox that only reports on itself. */
  root: string | null;
  wiki: string;
  /**
   * Answers what the sandbox asks, as JSON text, in the time that the call gives for one question; the signal is aborted
   * when the sandbox ends or the call is over.
   */
  answer(question: string, signal: AbortSignal, embedMs: number): Promise<string>;
  /** Tests only: other programs for the threads; Python source that runs before the doors are closed. */
  entry?: URL;
  walkerEntry?: URL;
  beforeSealing?: string;
}

export type SandboxState = "starting" | "ready" | "busy" | "ended";

/** How a sandbox came to its end. */
export interface Ending {
  exitCode: number | null;
  /** True when the host ended it. */
  terminated: boolean;
  reason: string;
}

const WORKER_ENTRY = new URL("./worker.js", import.meta.url);
const WALKER_ENTRY = new URL("./walker.js", import.meta.url);
const INTERRUPT = 2; // SIGINT, in Pyodide's interrupt buffer
const TERMINATE_WAIT_MS = 2_000; // a thread stuck in the operating system never ends; nobody waits longer for it

const THREAD_OPTIONS = {
  env: {},
  argv: [] as string[],
  execArgv: [] as string[],
  stdin: false,
  // Never read: a sandbox must not write to the agent's own streams, and what Python prints goes elsewhere. (Reading them
  // would keep the process alive after the thread was ended.)
  stdout: true,
  stderr: true,
};

export class Sandbox {
  readonly ended: Promise<Ending>;
  state: SandboxState = "starting";

  readonly #python: Worker;
  readonly #api: Comlink.Remote<WorkerApi>;
  readonly #interrupt = new SharedArrayBuffer(1);
  readonly #life = new AbortController();
  readonly #options: SandboxOptions;
  readonly #settleEnding: (ending: Ending) => void;
  readonly #waiting = new Set<(error: WikiError) => void>();
  #ending: Ending | undefined;
  #walker: { thread: Worker; api: Comlink.Remote<WalkerApi> } | undefined;
  #question: AbortController | undefined;
  #embedMs: number = LIMITS.embedDeadlineMs;
  #gone: Promise<unknown> = Promise.resolve();
  #onTold: ((told: Told) => void) | undefined;

  constructor(options: SandboxOptions) {
    this.#options = options;
    const { promise, resolve } = withResolvers<Ending>();
    this.ended = promise;
    this.#settleEnding = resolve;

    const asking = new MessageChannel();
    const telling = new MessageChannel();
    const askSignal = new SharedArrayBuffer(4);
    const tellQueued = new SharedArrayBuffer(4);
    const workerData: WorkerData = {
      root: options.root,
      askPort: asking.port2,
      askSignal,
      interrupt: this.#interrupt,
      tellPort: telling.port2,
      tellQueued,
      startedAt: performance.timeOrigin + performance.now(),
      ...(options.beforeSealing === undefined ? {} : { beforeSealing: options.beforeSealing }),
    };
    this.#python = new Worker(options.entry ?? WORKER_ENTRY, {
      ...THREAD_OPTIONS,
      name: "pi-wiki",
      workerData,
      transferList: [asking.port2, telling.port2],
      // They bound JavaScript's own memory; WebAssembly's is bounded in the module itself. A large space for new
      // objects only fills with garbage before it is looked at.
      resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8, stackSizeMb: 4 },
    });
    this.#python.on("error", (error) => this.#finish(null, false, `the sandbox failed: ${error.message}`));
    this.#python.on("exit", (code) => this.#finish(code, false, `the sandbox's thread ended by itself (exit ${code})`));
    this.#api = Comlink.wrap<WorkerApi>(nodeEndpoint(this.#python));
    this.#python.unref();

    asking.port1.on("message", (question: unknown) => void this.#answer(question, asking.port1, askSignal));
    const queued = new Int32Array(tellQueued);
    let dealtWith = 0;
    const makeRoom = () => {
      Atomics.sub(queued, 0, dealtWith);
      Atomics.notify(queued, 0);
      dealtWith = 0;
    };
    telling.port1.on("message", (told: Told) => {
      this.#onTold?.(told);
      // Room is made a turn of the event loop later: Node hands out all that has come in one turn, and a sandbox that fills
      // up at once what is taken would hold the agent in it.
      if (dealtWith === 0) setImmediate(makeRoom);
      dealtWith += weight(told);
    });
    asking.port1.unref();
    telling.port1.unref();
    this.#life.signal.addEventListener("abort", () => {
      asking.port1.close();
      telling.port1.close();
    });
  }

  /** Resolves when Python is ready; rejects with `sandbox-failed` when it does not come up. */
  async start(): Promise<Ready> {
    const timer = setTimeout(() => this.end("it did not start in time"), LIMITS.bootDeadlineMs);
    try {
      const { parts, versions, coldReason } = await this.#orEnding(Promise.resolve(this.#options.assets));
      const ready = await this.#orEnding(this.#api.start(parts, versions, coldReason));
      if (this.state === "starting") this.state = "ready";
      return ready;
    } catch (error) {
      this.end("it did not start");
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Lets the sandboxes that come after this one start from compiled scripts; once a process, when nobody waits. */
  async shareCodeCache(): Promise<void> {
    const { parts } = await this.#options.assets;
    if (parts.codeCache.length > 0 || this.state !== "ready") return;
    parts.codeCache = await this.#orEnding(this.#api.codeCache());
  }

  /** What the vault's folders hold now, as the bytes of a listing. */
  walk(): Promise<Uint8Array> {
    const { root, wiki } = this.#options;
    if (root === null) return Promise.resolve(new Uint8Array(0));
    this.#walker ??= this.#startWalker({ root, wiki });
    const { thread, api } = this.#walker;
    thread.ref();
    const walked = this.#orEnding(api.walk());
    return walked.finally(() => thread.unref());
  }

  /** One request; only when `ready`. Rejects when the sandbox ends before it answers. */
  async call(
    request: string,
    listing: Uint8Array | null,
    onTold: (told: Told) => void,
    embedMs: number = LIMITS.embedDeadlineMs,
  ): Promise<Reply> {
    if (this.state !== "ready") throw new Error(`a sandbox that is ${this.state} takes no call`);
    this.state = "busy";
    this.#question = new AbortController();
    this.#embedMs = embedMs;
    new Uint8Array(this.#interrupt)[0] = 0;
    this.#python.ref();
    let emitted = 0;
    let onEmitted = () => {};
    this.#onTold = (told) => {
      if (told.kind === "emit") emitted++;
      onTold(told);
      onEmitted();
    };
    try {
      const reply = await this.#orEnding(this.#api.answer(new TextEncoder().encode(request), listing));
      // Pieces of files come by a port of their own, which nothing keeps in step with the reply.
      const whole = new Promise<void>((resolve) => {
        onEmitted = () => {
          if (emitted >= reply.emitted) resolve();
        };
        onEmitted();
      });
      await this.#orEnding(whole);
      return reply;
    } finally {
      this.#python.unref();
      this.#question.abort();
      this.#question = undefined;
      this.#onTold = undefined;
      if (this.state === "busy") this.state = "ready";
    }
  }

  /** Whether the last request left nothing behind that a later one could see; the process is not kept alive for it. */
  async tidy(): Promise<boolean> {
    if (this.state !== "ready") return false;
    this.state = "busy";
    try {
      return await this.#orEnding(this.#api.tidy());
    } finally {
      if (this.state === "busy") this.state = "ready";
    }
  }

  /** Asks Python to stop what it does; C code and waiting for the host go on until the sandbox is ended. */
  interrupt(): void {
    new Uint8Array(this.#interrupt)[0] = INTERRUPT;
    this.#question?.abort();
  }

  /** Ends the threads. What waits for them is settled at once. */
  end(reason: string): void {
    if (this.state === "ended") return;
    this.#finish(null, true, reason);
  }

  /** Resolves when the threads are gone, or have been given up. */
  async gone(): Promise<void> {
    // Threads that end keep no process alive; whoever waits for them here must not be left waiting at its end.
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise((resolve) => {
      timer = setTimeout(resolve, TERMINATE_WAIT_MS);
    });
    await Promise.race([this.#gone, patience]);
    clearTimeout(timer);
  }

  #finish(exitCode: number | null, terminated: boolean, reason: string): void {
    if (this.#ending) return;
    this.#ending = { exitCode, terminated, reason };
    this.state = "ended";
    this.#settleEnding(this.#ending);
    for (const reject of this.#waiting) reject(endedError(this.#ending));
    this.#waiting.clear();
    this.#question?.abort();
    this.#life.abort();
    // A thread inside an operating system call does not end; it must not keep the agent's process alive either.
    this.#gone = Promise.allSettled([this.#python.terminate(), this.#walker?.thread.terminate()]);
  }

  #startWalker(data: WalkerData): { thread: Worker; api: Comlink.Remote<WalkerApi> } {
    const thread = new Worker(this.#options.walkerEntry ?? WALKER_ENTRY, {
      ...THREAD_OPTIONS,
      name: "pi-wiki-walker",
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
      workerData: data,
    });
    thread.on("error", (error) => this.#finish(null, false, `looking at the vault's folders failed: ${error.message}`));
    thread.unref();
    return { thread, api: Comlink.wrap<WalkerApi>(nodeEndpoint(thread)) };
  }

  /** Comlink leaves a call pending for ever when its thread ends, so each is raced with the end. */
  #orEnding<T>(call: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#ending) return reject(endedError(this.#ending));
      this.#waiting.add(reject);
      call.then(resolve, reject).finally(() => this.#waiting.delete(reject));
    });
  }

  async #answer(question: unknown, port: MessageChannel["port1"], signal: SharedArrayBuffer): Promise<void> {
    const text = question instanceof Uint8Array ? new TextDecoder().decode(question) : "";
    const stop = AbortSignal.any([this.#life.signal, this.#question?.signal ?? AbortSignal.abort()]);
    let answer: string;
    try {
      answer = await this.#options.answer(text, stop, this.#embedMs);
    } catch (error) {
      answer = JSON.stringify({
        error: { kind: "failed", message: error instanceof Error ? error.message : String(error) },
      });
    }
    if (this.state === "ended") return;
    port.postMessage(new TextEncoder().encode(answer));
    const flag = new Int32Array(signal);
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
  }
}

function endedError(ending: Ending): WikiError {
  return new WikiError(
    "sandbox-failed",
    `The sandbox ended before it answered: ${ending.reason}. The next call starts a new one.`,
    { processStatus: { ...ending, stderr: "" } },
  );
}

function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
