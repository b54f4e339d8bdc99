// The worker's half of the realm: makes the bare context, hands it the host functions and the assets, and carries
// bytes in and out. Rules it keeps (each is tested): never inspect, log, clone, post or await a value of the realm once
// Python has run, and never give it an object of this realm.
import { randomFillSync } from "node:crypto";
import { performance } from "node:perf_hooks";
import vm from "node:vm";
import { type AssetFile, notPublished, openSnapshot, readAsset } from "../assets/files.ts";
import type { Realm } from "./realm/boot.ts";
import type { HostFunctions } from "./realm/host-functions.ts";
import { bytesOf } from "./views.ts";

/** What a realm is made of. Modules are compiled once and shared by all workers of a process; files are read by each. */
export interface RealmParts {
  mainModule: WebAssembly.Module;
  /** The glue's small modules, by the hex of their bytes. */
  glueModules: [string, WebAssembly.Module][];
  /** Python's standard library and Pyodide's lock file. */
  files: AssetFile[];
  /** `py/`, for a cold start; each goes below /app. */
  sources: AssetFile[];
  /** The realm's own script and Pyodide's two, in the order in which they run. */
  scripts: AssetFile[];
  /** V8's code cache of those scripts for this very engine, where there is one. */
  codeCache: (Uint8Array | null)[];
  snapshot: AssetFile | null;
}

export interface Surroundings {
  output(stream: number, bytes: Uint8Array): void;
  files: HostFunctions["files"];
  /** Asks the host synchronously; the answer, or null when there is none. */
  ask(question: Uint8Array): Uint8Array | null;
  tell(kind: number, bytes: Uint8Array): boolean;
}

const DECODE_MAX_BYTES = 1024 * 1024; // large decoded texts would stay in memory that no limit covers
const RANDOM_MAX_BYTES = 65_536; // what the web's own interface gives at once
const FROZEN_NOW = 1_700_000_000_000; // any fixed moment; see freezeTime

const setBytes = Uint8Array.prototype.set;

export interface RealmOptions {
  /** Build time: a realm with fixed time and chance that can be made into a snapshot. */
  forSnapshot?: boolean;
  withVault: boolean;
}

export interface MadeRealm {
  realm: Realm;
  /** V8's code cache of the scripts, after they have run: it then holds the functions that a start uses. */
  codeCache(): Uint8Array[];
}

export async function createRealm(parts: RealmParts, around: Surroundings, options: RealmOptions): Promise<MadeRealm> {
  const context = vm.createContext(Object.create(null), {
    name: "wiki",
    codeGeneration: { strings: false, wasm: false },
  });
  const scripts = parts.scripts.map((file, i) => compile(file, parts.codeCache[i] ?? null));
  const [bootScript, ...pyodideScripts] = scripts;
  const boot = bootScript!.runInContext(context) as (...functions: unknown[]) => Realm;
  const snapshot = parts.snapshot && openSnapshot(parts.snapshot);
  try {
    let published = true;
    let loaded = false;
    const restore = (memory: Uint8Array) => {
      if (loaded) return false; // its file is closed by then
      published = snapshot?.restore(memory) ?? false;
      return published;
    };
    const realm = boot(...hostFunctions(around, restore, options.forSnapshot === true));
    if (options.forSnapshot) realm.freezeTime(FROZEN_NOW);
    const give = (file: AssetFile, name: string) => {
      const bytes = realm.allocate(file.bytes);
      readAsset(file, bytes);
      realm.giveAsset(name, bytes);
    };
    const adopt = (module: WebAssembly.Module) => Object.setPrototypeOf(module, realm.modulePrototype());
    realm.giveMainModule(adopt(parts.mainModule));
    for (const [hex, module] of parts.glueModules) realm.giveModule(hex, adopt(module));
    for (const file of parts.files) give(file, `/realm/${file.name}`);
    if (snapshot) {
      const head = realm.allocate(snapshot.head.length);
      setBytes.call(head, snapshot.head);
      realm.giveSnapshot(head, snapshot.snapshotBytes);
    }
    for (const script of pyodideScripts) script.runInContext(context);
    try {
      await realm.load(options.forSnapshot === true);
      loaded = true;
    } catch (error) {
      if (!published) throw notPublished(parts.snapshot!);
      throw error;
    }
    if (!snapshot) {
      for (const file of parts.sources) {
        give(file, file.name);
        realm.writeSource(file.name);
      }
    }
    if (!options.forSnapshot) realm.setUp(options.withVault);
    return { realm, codeCache: () => scripts.map((script) => script.createCachedData()) };
  } finally {
    snapshot?.close();
  }
}

function compile(file: AssetFile, cachedData: Uint8Array | null): vm.Script {
  const text = Buffer.alloc(file.bytes);
  readAsset(file, text);
  return new vm.Script(text.toString("utf8"), {
    filename: `realm:${file.name}`,
    ...(cachedData ? { cachedData } : {}),
  });
}

function hostFunctions(around: Surroundings, restore: (memory: Uint8Array) => boolean, frozen: boolean): unknown[] {
  const decoders = new Map(
    ["utf-8", "utf-16le", "latin1"].map((label) => [label, new TextDecoder(label, { ignoreBOM: true })]),
  );
  const encoder = new TextEncoder();
  let seed = 12345;
  let answer: Uint8Array | null = null;

  const functions: ((...args: never[]) => unknown)[] = [
    (label: unknown, view: unknown) => {
      const bytes = bytesOf(view);
      if (typeof label !== "string" || !bytes || bytes.length > DECODE_MAX_BYTES) return -1;
      return (decoders.get(label) ?? decoders.get("utf-8")!).decode(bytes);
    },
    (text: unknown) => (typeof text === "string" ? Buffer.byteLength(text) : -1),
    (text: unknown, view: unknown) => {
      const target = bytesOf(view);
      if (typeof text !== "string" || !target) return -1;
      const { read, written } = encoder.encodeInto(text, target);
      return read * 2 ** 32 + written;
    },
    (view: unknown) => {
      const bytes = bytesOf(view);
      if (!bytes || bytes.length > RANDOM_MAX_BYTES) return -1;
      if (!frozen) {
        randomFillSync(bytes);
        return 0;
      }
      for (let i = 0; i < bytes.length; i++) {
        seed = (seed * 16807) % 2147483647;
        bytes[i] = seed & 255;
      }
      return 0;
    },
    () => (frozen ? 1000 : performance.now()),
    (view: unknown) => {
      const memory = bytesOf(view);
      return memory && restore(memory) ? 0 : -1;
    },
    (stream: unknown, what: unknown) => {
      const bytes = typeof what === "string" ? Buffer.from(what) : bytesOf(what);
      if ((stream !== 1 && stream !== 2) || !bytes) return -1;
      around.output(stream, Uint8Array.from(bytes));
      return 0;
    },
    around.files as (...args: never[]) => unknown,
    (step: unknown, view: unknown) => {
      const bytes = bytesOf(view);
      if (!bytes) return -1;
      if (step === 0) {
        answer = around.ask(Uint8Array.from(bytes));
        return answer ? answer.length : -1;
      }
      if (!answer) return -1;
      setBytes.call(bytes, answer.subarray(0, bytes.length));
      answer = null;
      return 0;
    },
    (kind: unknown, view: unknown) => {
      const bytes = bytesOf(view);
      if (typeof kind !== "number" || !bytes) return -1;
      return around.tell(kind, Uint8Array.from(bytes)) ? 0 : -1;
    },
  ];
  return functions.map(guarded);
}

/** No error of this realm may reach the other one. */
function guarded(action: (...args: never[]) => unknown) {
  return (a: never, b: never, c: never, d: never, e: never, f: never): unknown => {
    try {
      return action(a, b, c, d, e, f);
    } catch {
      return -1;
    }
  };
}
