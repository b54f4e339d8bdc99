// Makes a fresh context's global object ours: known names are kept or dropped, an unknown one stops the start. (Node 26
// grew `Temporal`, whose prototypes belong to the main realm when the host touches them: a new name is a new risk.)
import type { HostFunctions } from "./host-functions.ts";

const KEEP =
  "AggregateError Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Boolean DataView Date Error EvalError Float32Array Float64Array Function Infinity Int16Array Int32Array Int8Array JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer String Symbol SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakSet WebAssembly decodeURI decodeURIComponent encodeURI encodeURIComponent globalThis isFinite isNaN parseFloat parseInt undefined";
const DROP =
  "AsyncDisposableStack DisposableStack FinalizationRegistry Float16Array Intl Iterator SuppressedError Temporal WeakRef console escape eval unescape";

export function claimGlobals(): void {
  const keep = new Set<PropertyKey>(KEEP.split(" "));
  const drop = new Set<PropertyKey>(DROP.split(" "));
  for (const name of Reflect.ownKeys(globalThis)) {
    if (keep.has(name)) continue;
    if (!drop.has(name))
      throw new TypeError(`this engine has a global that the sandbox does not know: ${String(name)}`);
    delete (globalThis as Record<PropertyKey, unknown>)[name];
    if (Reflect.has(globalThis, name))
      throw new TypeError(`a global of this engine cannot be dropped: ${String(name)}`);
  }
  delete (Date.prototype as { toTemporalInstant?: unknown }).toTemporalInstant;
  // An engine that calls this hook hands it call sites of other realms.
  Object.defineProperty(Error, "prepareStackTrace", { value: undefined, writable: false, configurable: false });
}

/** The few web interfaces that Pyodide's glue needs, every object of them made in this realm. */
export function provideWebInterfaces(host: HostFunctions): void {
  const number = (value: unknown): number => {
    if (typeof value !== "number") throw new TypeError("the host did not answer");
    return value;
  };
  // The realm's side of each host call swallows what is thrown: a stack overflow at the callee's entry is a RangeError
  // of the host's realm, and an object of the host's realm is a way out.
  const quietly = <T>(call: () => T): T | undefined => {
    try {
      return call();
    } catch {
      return undefined;
    }
  };

  class TextDecoder {
    readonly encoding: string;
    constructor(label = "utf-8") {
      this.encoding = String(label).toLowerCase();
    }
    decode(view?: ArrayBufferView | ArrayBuffer): string {
      if (view === undefined) return "";
      const bytes = ArrayBuffer.isView(view) ? (view as Uint8Array) : new Uint8Array(view);
      const text = quietly(() => host.decode(this.encoding, bytes));
      if (typeof text !== "string") throw new TypeError("these bytes cannot be decoded here");
      return text;
    }
  }

  class TextEncoder {
    readonly encoding = "utf-8";
    encode(text: unknown = ""): Uint8Array {
      const string = String(text);
      const bytes = new Uint8Array(number(quietly(() => host.utf8Length(string))));
      this.encodeInto(string, bytes);
      return bytes;
    }
    encodeInto(text: unknown, target: Uint8Array): { read: number; written: number } {
      const string = String(text);
      const both = number(quietly(() => host.utf8Write(string, target)));
      if (both < 0) throw new TypeError("this text cannot be encoded here");
      return { read: Math.floor(both / 2 ** 32), written: both % 2 ** 32 };
    }
  }

  const line = (...parts: unknown[]): void => {
    let text = "";
    for (const part of parts) text += `${quietly(() => describe(part)) ?? "?"} `;
    quietly(() => host.output(2, `${text}\n`));
  };

  Object.assign(globalThis, {
    TextDecoder,
    TextEncoder,
    performance: { now: () => number(quietly(() => host.now())) },
    crypto: {
      getRandomValues(target: Uint8Array) {
        if (quietly(() => host.random(target)) !== 0) throw new TypeError("no random bytes");
        return target;
      },
    },
    console: { log: line, info: line, debug: line, warn: line, error: line },
    // Nothing in the realm runs later: a request is answered before it returns.
    setTimeout: () => 0,
    setInterval: () => 0,
    clearTimeout: () => {},
    clearInterval: () => {},
    AbortController: class {
      signal = { aborted: false, addEventListener() {}, removeEventListener() {} };
      abort() {
        this.signal.aborted = true;
      }
    },
    FinalizationRegistry: class {
      register() {}
      unregister() {
        return false;
      }
    },
    __noImport() {
      throw new TypeError("import() is not available");
    },
  });
}

function describe(part: unknown): string {
  if (typeof part === "string") return part;
  const message = (part as { message?: unknown } | null | undefined)?.message;
  return typeof message === "string" ? message : String(part);
}
