// Runs inside a bare vm context: no process, no require, no fetch, no import(), no eval, no compilation. Loads Pyodide
// there and gives the worker a handful of functions that take and give numbers, strings and typed arrays.
import { type EmscriptenFs, makeDevices } from "./devices.ts";
import { claimGlobals, provideWebInterfaces } from "./globals.ts";
import type { HostFunctions } from "./host-functions.ts";
import { noteFiles } from "./leftovers.ts";
import { lockMemoryFiles, type MemoryFiles } from "./memory-files.ts";
import { claimWebAssembly, MAIN_STAND_IN } from "./modules.ts";
import { readOnlyFs } from "./rofs-realm.ts";

/** Pyodide's public and private interfaces, as far as the realm uses them. */
// biome-ignore lint/suspicious/noExplicitAny: untyped third-party object, narrowed at its uses
type Pyodide = any;

const ENVIRONMENT = {
  HOME: "/home/pyodide",
  LANG: "C.UTF-8",
  PYTHONDONTWRITEBYTECODE: "1",
  // Fixed, so that a snapshot is reproducible. It makes hash collisions predictable; the deadline bounds their cost.
  PYTHONHASHSEED: "0",
};

/** What the worker may do with a realm. Only numbers, strings and typed arrays go in and come out. */
export interface Realm {
  allocate(length: number): Uint8Array;
  modulePrototype(): object;
  sharedMemoryPrototype(): object;
  giveAsset(name: string, bytes: Uint8Array): void;
  /** The snapshot's head; its pages come by the host function `restore`. */
  giveSnapshot(head: Uint8Array, snapshotBytes: number): void;
  giveModule(hexBytes: string, module: WebAssembly.Module): void;
  giveMainModule(module: WebAssembly.Module): void;
  freezeTime(now: number): void;
  load(makeSnapshot: boolean): Promise<number>;
  writeSource(name: string): void;
  setUp(withVault: boolean): number;
  setInterruptBuffer(buffer: SharedArrayBuffer): void;
  run(code: string): number;
  bind(serve: string, check: string): number;
  request(length: number): Uint8Array;
  listing(length: number): Uint8Array;
  serve(): number;
  responseLength(): number;
  responseBytes(): Uint8Array;
  tidy(): number;
  heapBytes(): number;
  makeSnapshot(): Uint8Array;
}

/** `serve` and `run`: done, raised, or the interpreter is dead. */
const OUTCOME = { done: 0, raised: 1, dead: 3 } as const;

export default function boot(
  decode: HostFunctions["decode"],
  utf8Length: HostFunctions["utf8Length"],
  utf8Write: HostFunctions["utf8Write"],
  random: HostFunctions["random"],
  now: HostFunctions["now"],
  restore: HostFunctions["restore"],
  output: HostFunctions["output"],
  files: HostFunctions["files"],
  ask: HostFunctions["ask"],
  tell: HostFunctions["tell"],
): Realm {
  const host: HostFunctions = {
    __proto__: null,
    decode,
    utf8Length,
    utf8Write,
    random,
    now,
    restore,
    output,
    files,
    ask,
    tell,
  } as never;
  claimGlobals();
  provideWebInterfaces(host);
  const modules = claimWebAssembly();
  const global = globalThis as unknown as Record<string, unknown>;
  const assets: Record<string, Uint8Array> = { __proto__: null } as never;

  // Emscripten's glue takes a realm with `read` and `load` for a JavaScript shell: no Node, no web.
  global.read = global.load = () => {
    throw new TypeError("no files here");
  };
  global.readbuffer = (path: unknown) => {
    const asset = assets[String(path)];
    if (!asset) throw new TypeError("no such asset");
    return asset;
  };

  global.__restoreMemory = (memory: Int8Array) => {
    let result: unknown;
    try {
      result = host.restore(memory);
    } catch {}
    if (result !== 0) throw new TypeError("the snapshot cannot be restored");
  };

  let snapshot: Uint8Array | undefined;
  let pyodide: Pyodide;
  let fs: EmscriptenFs;
  let serve: (() => unknown) | undefined;
  let check: (() => unknown) | undefined; // 0 when Python is as it was when its doors were closed
  let memory: MemoryFiles;
  let vault: string | null = null;
  let filesAreSame = () => false;
  let newRequest = () => {};
  let dead = false;
  let devices: ReturnType<typeof makeDevices>;

  const say = (stream: number, bytes: Uint8Array | string) => {
    try {
      host.output(stream, bytes);
    } catch {}
  };
  const guarded = (action: () => unknown): number => {
    if (dead) return OUTCOME.dead;
    let outcome: number = OUTCOME.done;
    try {
      action();
    } catch (error) {
      outcome = OUTCOME.raised;
      try {
        const { message } = error as { message?: unknown };
        say(2, `${typeof message === "string" ? message : "an error without a message"}\n`);
      } catch {}
    }
    return dead ? OUTCOME.dead : outcome;
  };

  return {
    allocate: (length) => new Uint8Array(length),
    modulePrototype: () => modules.prototype,
    sharedMemoryPrototype: () => SharedArrayBuffer.prototype,
    giveAsset(name, bytes) {
      assets[name] = bytes;
    },
    giveSnapshot(head, snapshotBytes) {
      // Pyodide asks the snapshot for its length, to know how much memory to have.
      snapshot = Object.defineProperty(head, "length", { value: snapshotBytes });
    },
    giveModule: (hexBytes, module) => modules.add(hexBytes, module),
    giveMainModule: (module) => modules.setMain(module),
    freezeTime,

    async load(makeSnapshot) {
      const text = (name: string) => new TextDecoder().decode(assets[name]);
      assets["/realm/pyodide.asm.wasm"] = MAIN_STAND_IN;
      const config: Record<string, unknown> = {
        indexURL: "/realm/",
        packageBaseUrl: "file:///nowhere/",
        stdLibURL: "/realm/python_stdlib.zip",
        lockFileContents: JSON.parse(text("/realm/pyodide-lock.json")),
        createPyodideModule: global.__createPyodideModule,
        env: ENVIRONMENT,
        jsglobals: Object.create(null),
        enableRunUntilComplete: false,
        stdin: () => null,
        stdout: (line: string) => say(1, `${line}\n`),
        stderr: (line: string) => say(2, `${line}\n`),
      };
      if (makeSnapshot) config._makeSnapshot = true;
      if (snapshot) config._loadSnapshot = snapshot;
      pyodide = await (global.loadPyodide as (config: unknown) => Promise<Pyodide>)(config);
      fs = pyodide.FS;
      // Without this hook a crashed interpreter answers the next call with nothing, as if all were well.
      pyodide._api.on_fatal = () => {
        dead = true;
      };
      for (const name of [
        "loadPyodide",
        "_createPyodideModule",
        "__createPyodideModule",
        "read",
        "load",
        "readbuffer",
        "__restoreMemory",
      ]) {
        global[name] = undefined;
        Reflect.deleteProperty(global, name); // a `var` of a script stays, undefined
      }
      return OUTCOME.done;
    },

    writeSource(name) {
      const path = `/app/${name}`;
      fs.mkdirTree(path.slice(0, path.lastIndexOf("/")));
      fs.writeFile(path, assets[name]);
    },

    setUp(withVault) {
      const bytesTo = (stream: number) => ({
        write(bytes: Uint8Array) {
          say(stream, bytes);
          return bytes.length;
        },
      });
      pyodide.setStdout(bytesTo(1));
      pyodide.setStderr(bytesTo(2));
      pyodide.setStdin({ read: () => 0, error: false });
      devices = makeDevices(fs, host);
      if (withVault) fs.mkdir("/vault");
      memory = lockMemoryFiles(fs, pyodide._api);
      if (withVault) {
        const quietly: HostFunctions["files"] = (op, a, b, c, d, e) => {
          try {
            return host.files(op, a, b, c, d, e);
          } catch {
            return -29; // EIO
          }
        };
        const mount = readOnlyFs(fs, quietly);
        fs.mount(mount.type, {}, "/vault");
        vault = "/vault";
        newRequest = mount.newRequest;
      }
      for (const name of Object.keys(assets)) delete assets[name];
      return OUTCOME.done;
    },

    setInterruptBuffer(buffer) {
      pyodide.setInterruptBuffer(new Uint8Array(buffer));
    },
    run: (code) => guarded(() => pyodide.runPython(code)),
    bind(serveName, checkName) {
      serve = pyodide.globals.get(serveName);
      check = pyodide.globals.get(checkName);
      pyodide.globals.delete(checkName); // Python itself has no way to it
      filesAreSame = noteFiles(fs, memory, vault);
      return typeof serve === "function" && typeof check === "function" ? 1 : 0;
    },

    request(length) {
      newRequest();
      return devices.request(length);
    },
    listing: (length) => devices.listing(length),
    serve: () => guarded(() => serve?.()),
    responseLength: () => devices.responseLength(),
    responseBytes: () => devices.responseBytes(),
    /** 1 when the request left nothing: not in Python's modules and settings, not in its files. */
    tidy() {
      let clean = false;
      guarded(() => {
        clean = check?.() === 0 && filesAreSame();
      });
      return clean && !dead ? 1 : 0;
    },
    heapBytes: () => pyodide._module.HEAPU8.length,
    makeSnapshot: () => pyodide.makeMemorySnapshot(),
  };
}

/** Build time only: with a fixed clock and a fixed source of chance, two snapshots are the same bytes. */
function freezeTime(now: number): void {
  const RealDate = Date;
  const Frozen = function (this: unknown, ...parts: unknown[]) {
    if (!new.target) return new RealDate(now).toString();
    return parts.length > 0 ? new (RealDate as new (...all: unknown[]) => Date)(...parts) : new RealDate(now);
  };
  Frozen.prototype = RealDate.prototype;
  Object.assign(Frozen, { now: () => now, UTC: RealDate.UTC, parse: RealDate.parse });
  Object.assign(globalThis, { Date: Frozen });
  let state = 1;
  Math.random = () => {
    state = (state * 16807) % 2147483647; // Park and Miller's minimal standard generator
    return state / 2147483647;
  };
}
