// The worker thread's program: brings up the realm, then answers one request at a time. Wired to the host by Comlink;
// what crosses is plain data (shared/protocol.ts).
import process from "node:process";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import * as Comlink from "comlink";
import nodeEndpoint from "comlink/dist/esm/node-adapter.mjs";
import { AssetError } from "../assets/files.ts";
import { LIMITS } from "../shared/limits.ts";
import type { Ready, Reply } from "../shared/protocol.ts";
import { makeAsk } from "./ask.ts";
import { BoundedOutput } from "./output.ts";
import type { Realm } from "./realm/boot.ts";
import { TELL } from "./realm/host-functions.ts";
import { createRealm, type RealmParts } from "./realm-host.ts";
import { makeReadOnlyFs } from "./rofs.ts";
import { makeTell, progressFrom } from "./tell.ts";
import { bytesOf } from "./views.ts";

export interface WorkerData {
  /** The vault's folder on the host, or null for a sandbox that only reports on itself. */
  root: string | null;
  askPort: MessagePort;
  askSignal: SharedArrayBuffer;
  interrupt: SharedArrayBuffer;
  /** Progress and published bytes go out here while the worker is busy. */
  tellPort: MessagePort;
  /** The weight of what was told and not yet dealt with. */
  tellQueued: SharedArrayBuffer;
  /** When the host started this thread, in milliseconds since 1970. */
  startedAt: number;
  /** Tests only: Python source that runs before the doors are closed, to put another program in the bridge's place. */
  beforeSealing?: string;
}

export interface WorkerApi {
  /** The parts come when they are ready: the thread starts while they are still being read and compiled. */
  start(parts: RealmParts, versions: { pyodide: string }, coldReason: string | null): Promise<Ready>;
  /** V8's code cache of the realm's scripts, for the sandboxes that come after this one. */
  codeCache(): Uint8Array[];
  answer(request: Uint8Array, listing: Uint8Array | null): Reply;
  /** Whether the request before left nothing that a later one could see; asked when nobody waits for an answer. */
  tidy(): boolean;
}

// A value of the realm must never reach Node's error printing, which calls hooks that the realm can set.
const die = () => process.exit(70);
process.on("uncaughtException", die);
process.on("unhandledRejection", die);

const data = workerData as WorkerData;
const stdout = new BoundedOutput(LIMITS.stderrMaxBytes); // nobody reads it; bounded all the same
const stderr = new BoundedOutput(LIMITS.stderrMaxBytes);
const vault = data.root === null ? null : makeReadOnlyFs(data.root);
const ask = makeAsk(data.askPort, data.askSignal);
const send = makeTell(data.tellPort, data.tellQueued);
let realm: Realm;
let codeCache: () => Uint8Array[];
let broken = false;
let emitted = 0;

const api: WorkerApi = {
  async start(parts, versions, coldReason) {
    const around = {
      output: (stream: number, bytes: Uint8Array) => (stream === 1 ? stdout : stderr).write(bytes),
      files: vault ? vault.call : () => -63, // EPERM
      ask,
      tell,
    };
    const bringUp = async (snapshot: RealmParts["snapshot"]) => {
      ({ realm, codeCache } = await createRealm({ ...parts, snapshot }, around, { withVault: vault !== null }));
    };
    let cold = coldReason;
    if (parts.snapshot) {
      try {
        await bringUp(parts.snapshot);
      } catch (error) {
        if (error instanceof AssetError) throw error;
        cold = "the start-up snapshot does not load on this engine";
      }
    }
    if (cold !== null) await bringUp(null);
    for (const step of [cold === null ? "" : COLD_START, data.beforeSealing ?? "", SEAL]) {
      if (step && realm.run(step) !== 0) throw new Error(`Python did not start: ${stderr.take()}`);
    }
    Object.setPrototypeOf(data.interrupt, realm.sharedMemoryPrototype());
    realm.setInterruptBuffer(data.interrupt);
    if (realm.bind("serve", "check") !== 1)
      throw new Error("Python started without the function that answers requests");
    return {
      startMs: Math.round(performance.timeOrigin + performance.now() - data.startedAt),
      start: cold === null ? "snapshot" : "cold",
      coldReason: cold,
      versions: { ...versions, python: PYTHON_VERSION, node: process.versions.node },
      mount: vault && { path: "/vault", mode: vault.mode, readOnly: true },
    };
  },

  codeCache: () => codeCache(),

  answer(request, listing) {
    if (broken) return reply("dead");
    emitted = 0;
    stdout.take();
    stderr.take();
    try {
      return answered(request, listing);
    } catch {
      broken = true; // what was thrown may be the realm's: it is neither looked at nor passed on
      return reply("dead");
    }
  },

  tidy() {
    try {
      return !broken && realm.tidy() === 1;
    } catch {
      return false;
    }
  },
};

function answered(request: Uint8Array, listing: Uint8Array | null): Reply {
  setBytes.call(realm.request(request.length), request);
  if (listing) setBytes.call(realm.listing(listing.length), listing);
  const outcome = realm.serve();
  broken = outcome === 3;
  const length = broken ? -1 : realm.responseLength();
  if (!Number.isInteger(length) || length < 0) return reply("dead");
  // First: Python, too, stops with an error where its response does not fit.
  if (length > LIMITS.responseMaxBytes) return reply("answered", { overflow: true });
  if (outcome !== 0) return reply("failed");
  const source = bytesOf(realm.responseBytes());
  if (!source || source.length < length) return reply("dead");
  return reply("answered", { response: source.slice(0, length) });
}

const setBytes = Uint8Array.prototype.set;

function reply(kind: Reply["kind"], facts: Partial<Reply> = {}): Reply {
  const heap: unknown = broken || kind === "dead" ? 0 : realm.heapBytes();
  return {
    kind,
    response: new Uint8Array(0),
    overflow: false,
    stderr: stderr.take(),
    emitted,
    heapBytes: typeof heap === "number" ? heap : 0,
    ...facts,
  };
}

function tell(kind: number, bytes: Uint8Array): boolean {
  if (kind === TELL.emit) {
    if (!send({ kind: "emit", bytes })) return false;
    emitted++;
    return true;
  }
  const progress = kind === TELL.progress ? progressFrom(bytes) : null;
  return progress !== null && send({ kind: "progress", progress });
}

/** A snapshot holds the modules already imported; without one they are imported now, from the same files. */
const COLD_START = 'import sys; sys.path.insert(0, "/app"); import sandbox';
const SEAL = "from sandbox import seal, serve; check = seal()";
/** The Python that the pinned Pyodide is. */
const PYTHON_VERSION = "3.14.2";

Comlink.expose(api, nodeEndpoint(parentPort!));
