// One vault's lane: its calls wait in a queue and run one at a time in the vault's sandbox. Every call settles exactly
// once, by the first of: answered, deadline, cancelled, sandbox ended. A call that is ended takes no neighbour with it.
import { type ErrorCode, WikiError } from "../shared/errors.ts";
import { LIMITS } from "../shared/limits.ts";
import type { Ready, Reply } from "../shared/protocol.ts";
import type { Told } from "../shared/told.ts";
import { CANCELLED, deadlineMessage, within } from "./deadline.ts";
import { Sandbox, type SandboxOptions } from "./sandbox.ts";

export interface LaneCall {
  /** Milliseconds from now in which the call must be settled, waiting and start-up included. */
  deadlineMs: number;
  signal?: AbortSignal | undefined;
  /** True when the operation looks at the whole wiki and needs a fresh listing. */
  needsListing: boolean;
  /** Makes the request text, once the sandbox is ready and the time left is known. */
  request(remainingMs: number, ready: Ready): string;
  onTold(told: Told): void;
  /** Most milliseconds for one question to the model; without it, what a search may wait. */
  embedMs?: number | undefined;
}

/** A sandbox that has grown past this is replaced after its call: WebAssembly memory never shrinks. */
const HEAP_KEPT_BYTES = 320 * 1024 * 1024;
/** Python stops this long before the host's deadline, so that it answers with what it has. */
const ANSWER_RESERVE_MS = 500;

const IDLE = "it was idle";
const CLEAN = Promise.resolve(true);

interface Waiting {
  call: LaneCall;
  endsAt: number;
  resolve(reply: Reply): void;
  reject(error: WikiError): void;
  settled: boolean;
  cleanUp(): void;
}

interface Prepared {
  sandbox: Sandbox;
  listing: Uint8Array | null;
  facts: Ready;
}

interface Running {
  sandbox: Sandbox;
  ready: Promise<Ready>;
}

export class Lane {
  readonly #options: () => Promise<SandboxOptions>;
  readonly #queue: Waiting[] = [];
  #running: Promise<Running> | undefined;
  #sandbox: Sandbox | undefined;
  #current: Waiting | undefined;
  #pumping = false;
  #resting = false;
  #rested = CLEAN; // whether the request before left nothing; false once its sandbox was replaced
  #idle: NodeJS.Timeout | undefined;
  #closed = false;
  lastUsed = performance.now();

  constructor(options: () => Promise<SandboxOptions>) {
    this.#options = options;
  }

  get busy(): boolean {
    return this.#current !== undefined || this.#queue.length > 0 || this.#resting;
  }

  /** Starts the sandbox before the first call needs it; what goes wrong is for that call to report. */
  warm(): void {
    this.#start()
      .then(({ ready }) => ready)
      .then(
        () => this.#restartIdleTimer(),
        () => {},
      );
  }

  call(call: LaneCall): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        call,
        endsAt: performance.now() + call.deadlineMs,
        resolve,
        reject,
        settled: false,
        cleanUp: () => {
          clearTimeout(timer);
          call.signal?.removeEventListener("abort", onAbort);
        },
      };
      const onAbort = () => this.#stop(waiting, "cancelled", CANCELLED);
      const timer = setTimeout(
        () => this.#stop(waiting, "deadline", deadlineMessage(call.deadlineMs)),
        call.deadlineMs,
      );
      if (this.#closed) return this.#reject(waiting, new WikiError("cancelled", "The wiki is closed."));
      if (call.signal?.aborted) return onAbort();
      call.signal?.addEventListener("abort", onAbort, { once: true });
      this.#queue.push(waiting);
      void this.#pump();
    });
  }

  /** Ends the sandbox and settles what waits. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idle);
    const closed = () => new WikiError("cancelled", "The wiki was closed before this call was answered.");
    for (const waiting of this.#queue.splice(0)) this.#reject(waiting, closed());
    if (this.#current) this.#reject(this.#current, closed());
    const sandbox = this.#sandbox;
    this.#drop("the wiki was closed");
    await sandbox?.gone();
  }

  async #pump(): Promise<void> {
    if (this.#pumping) return;
    this.#pumping = true;
    clearTimeout(this.#idle);
    try {
      for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
        if (next.settled) continue;
        this.#current = next;
        await this.#run(next);
        this.#current = undefined;
      }
    } finally {
      this.#current = undefined;
      this.#pumping = false;
      this.lastUsed = performance.now();
      this.#restartIdleTimer();
    }
  }

  async #run(waiting: Waiting): Promise<void> {
    const { call } = waiting;
    try {
      // Whatever hangs here (a start, a folder on a dead network drive), the lane goes on when the call is settled.
      const over = new Promise<null>((resolve) => {
        const cleanUp = waiting.cleanUp;
        waiting.cleanUp = () => {
          cleanUp();
          resolve(null);
        };
      });
      const prepared = this.#prepare(call);
      const prepare = await Promise.race([prepared, over]);
      if (prepare === null) {
        prepared.catch(() => {});
        this.#drop("it was still starting, or looking at the vault's folders, when its call was ended");
        return;
      }
      if (waiting.settled) return;
      const { sandbox, listing, facts } = prepare;
      const remaining = Math.max(1, waiting.endsAt - performance.now() - ANSWER_RESERVE_MS);
      const onTold = (told: Told) => {
        if (!waiting.settled) call.onTold(told);
      };
      const answered = sandbox.call(call.request(Math.round(remaining), facts), listing, onTold, call.embedMs);
      const reply = await Promise.race([answered, over]);
      if (reply === null) {
        await this.#stopPython(sandbox, answered);
        return;
      }
      this.#settleWith(waiting, reply);
      if (reply.kind === "answered") this.#rest(sandbox, reply);
      else this.#drop("it was replaced after this call");
    } catch (error) {
      this.#drop("it failed");
      this.#reject(waiting, asWikiError(error));
    }
  }

  /** Gentle first, so that the live index survives; the thread is ended where Python does not stop within a moment. */
  async #stopPython(sandbox: Sandbox, answered: Promise<Reply>): Promise<void> {
    sandbox.interrupt();
    const reply = await within(LIMITS.interruptGraceMs, undefined, answered).catch(() => null);
    if (!reply || reply.kind === "dead" || !(await this.#canGoOn(sandbox, reply))) {
      this.#drop("it did not stop when its call was ended");
    }
  }

  /** A sandbox that may take the call, and what the vault's folders hold now: looked at while the sandbox is being looked at. */
  async #prepare(call: LaneCall): Promise<Prepared> {
    const { sandbox, ready } = await this.#start();
    const looked = call.needsListing ? sandbox.walk() : Promise.resolve(null);
    looked.catch(() => {});
    if (!(await this.#rested)) return this.#prepare(call); // the request before left something: there is another sandbox
    const [listing, facts] = await Promise.all([looked, ready]);
    return { sandbox, listing, facts };
  }

  /** Looks at what a request left once its answer is given, so that no call waits for it. */
  #rest(sandbox: Sandbox, reply: Reply): void {
    this.#resting = true;
    this.#rested = this.#canGoOn(sandbox, reply).then((canGoOn) => {
      this.#resting = false;
      if (sandbox !== this.#sandbox) return false; // it was ended meanwhile
      if (!canGoOn) this.#drop("it was replaced after this call");
      else if (!this.busy) sandbox.shareCodeCache().catch(() => {});
      this.#restartIdleTimer();
      return canGoOn;
    });
  }

  /** Whether a sandbox may take another request. */
  async #canGoOn(sandbox: Sandbox, reply: Reply): Promise<boolean> {
    if (reply.heapBytes > HEAP_KEPT_BYTES) return false;
    return within(LIMITS.tidyMaxMs, undefined, sandbox.tidy()).catch(() => false);
  }

  #start(): Promise<Running> {
    if (!this.#running || this.#sandbox?.state === "ended") {
      this.#sandbox = undefined;
      this.#running = this.#options().then((options) => {
        if (this.#closed) throw new WikiError("cancelled", "The wiki is closed.");
        const sandbox = new Sandbox(options);
        this.#sandbox = sandbox;
        const ready = sandbox.start();
        ready.catch(() => {});
        return { sandbox, ready };
      });
      this.#running.catch(() => {});
    }
    return this.#running;
  }

  #drop(reason: string): void {
    const worked = this.#sandbox !== undefined && this.#sandbox.state !== "starting";
    this.#sandbox?.end(reason);
    this.#sandbox = undefined;
    this.#running = undefined;
    this.#rested = CLEAN;
    // The next sandbox starts while the old thread is still being ended. One that never came up is not started again
    // and again: then the next call has to ask for it.
    if (worked && !this.#closed && reason !== IDLE) this.#start();
  }

  #restartIdleTimer(): void {
    clearTimeout(this.#idle);
    if (this.#closed || this.busy) return;
    this.#idle = setTimeout(() => this.#drop(IDLE), LIMITS.sandboxIdleMs).unref();
  }

  #stop(waiting: Waiting, code: ErrorCode, message: string): void {
    const running = waiting === this.#current;
    this.#reject(
      waiting,
      new WikiError(code, message, {
        processStatus: { exitCode: null, terminated: running, reason: code, stderr: "" },
      }),
    );
  }

  #settleWith(waiting: Waiting, reply: Reply): void {
    if (waiting.settled) return;
    waiting.settled = true;
    waiting.cleanUp();
    waiting.resolve(reply);
  }

  #reject(waiting: Waiting, error: WikiError): void {
    if (waiting.settled) return;
    waiting.settled = true;
    waiting.cleanUp();
    waiting.reject(error);
  }
}

function asWikiError(error: unknown): WikiError {
  if (error instanceof WikiError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new WikiError("sandbox-failed", `The sandbox failed: ${reason}. The next call starts a new one.`, {
    cause: error,
  });
}
