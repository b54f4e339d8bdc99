// Records the small WebAssembly modules that Emscripten's glue makes while it runs (one per function signature it has
// to convert), and writes them as hex into src/assets/glue-modules.json. The host compiles exactly these beforehand;
// inside the realm nothing else can be compiled. Run it when the pinned Pyodide changes: `node scripts/glue-modules.mjs`.
import { readFileSync, writeFileSync } from "node:fs";

// The glue's modules have up to 90 bytes. A larger one, a trampoline in wasm-gc, is left out on purpose: only engines from
// Node 22 on can compile it, the glue works without it, and a memory snapshot made with it does not load on Node 20.
const SMALL = 256; // bytes
const recorded = new Set();
const record = (bytes) => {
  if (ArrayBuffer.isView(bytes) && bytes.length < SMALL) recorded.add(Buffer.from(bytes).toString("hex"));
};

// Stack switching changes which modules are made, and older engines lack it: the realm runs without it.
for (const name of ["Suspending", "promising", "SuspendError"]) delete WebAssembly[name];
const { Module, compile } = WebAssembly;
WebAssembly.Module = new Proxy(Module, {
  construct(target, [bytes]) {
    record(bytes);
    return Reflect.construct(target, [bytes], Module);
  },
});
WebAssembly.compile = (bytes) => {
  record(bytes);
  return compile(bytes);
};

const { loadPyodide } = await import("pyodide");
const pyodide = await loadPyodide();
pyodide.runPython(`
import json, re, sqlite3, hashlib, functools, bisect, heapq, zlib, struct, array, unicodedata
connection = sqlite3.connect(":memory:")
connection.create_function("f", 1, lambda x: x)
connection.create_collation("k", lambda a, b: 0)
connection.execute("select f(1)").fetchall()
sorted([3, 1, 2], key=functools.cmp_to_key(lambda a, b: a - b))
`);

// One helper module is compiled while the loader itself is imported, before the hook above is there.
const loader = readFileSync(new URL("../node_modules/pyodide/pyodide.js", import.meta.url), "utf8");
for (const [, base64] of loader.matchAll(/"(AGFzbQ[A-Za-z0-9+/=]+)"/g)) record(Buffer.from(base64, "base64"));

const modules = [...recorded].sort();
const target = new URL("../src/assets/glue-modules.json", import.meta.url);
writeFileSync(target, `${JSON.stringify(modules, null, 2)}\n`);
console.log(`${modules.length} modules of ${modules.map((hex) => hex.length / 2).join(", ")} bytes`);
process.exit(0);
