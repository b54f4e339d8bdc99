// Makes wasm-assets/ out of the pinned npm package `pyodide`: checks what npm installed against
// wasm-assets/origin.json, then turns Pyodide's module into classic scripts that a bare realm can run.
//
// Each edit of Pyodide's text is asserted to match an exact number of times, so that another version fails here,
// loudly, and not in somebody's agent.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

const MEMORY_MAX_PAGES = 8192; // 512 MiB in WebAssembly pages of 64 KiB; Pyodide itself allows 4 GiB

export const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** @param {URL} root the project's root; returns the files written, name to bytes */
export function makeAssets(root) {
  const from = new URL("node_modules/pyodide/", root);
  const to = new URL("wasm-assets/", root);
  const origin = JSON.parse(readFileSync(new URL("origin.json", to), "utf8"));
  const source = (name) => {
    const bytes = readFileSync(new URL(name, from));
    const expected = origin.files[name];
    if (sha256(bytes) !== expected) {
      throw new Error(
        `${name} of ${origin.name}@${origin.version} is not the file that is pinned in wasm-assets/origin.json`,
      );
    }
    return bytes;
  };
  const files = {
    "pyodide.asm.js": realmGlue(source("pyodide.asm.mjs").toString("utf8")),
    "pyodide.js": realmLoader(source("pyodide.js").toString("utf8")),
    "pyodide.asm.wasm": withLowerMemoryMaximum(source("pyodide.asm.wasm")),
    "python_stdlib.zip": source("python_stdlib.zip"),
    "pyodide-lock.json": JSON.stringify({ ...JSON.parse(source("pyodide-lock.json").toString("utf8")), packages: {} }),
  };
  mkdirSync(to, { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(new URL(name, to), content);
  return Object.fromEntries(Object.entries(files).map(([name, content]) => [name, Buffer.from(content)]));
}

/** Emscripten's glue as a classic script: no module syntax, no dynamic import, no shell command for random bytes. */
function realmGlue(text) {
  let glue = replaceExactly(text, "import.meta.url", '"file:///realm/pyodide.asm.js"', 3);
  glue = replaceExactly(glue, "export default _createPyodideModule;", "", 1);
  glue = replaceExactly(
    glue,
    "if(ENVIRONMENT_IS_SHELL){return view=>{if(!os.system)",
    "if(false){return view=>{if(!os.system)",
    1,
  );
  // The snapshot's pages go straight from their file into memory: see snapshot-file.ts.
  glue = replaceExactly(glue, "return Module.HEAP8.set(t),", "return globalThis.__restoreMemory(Module.HEAP8),", 1);
  return `"use strict";\n${withoutDynamicImport(glue)}\n;globalThis.__createPyodideModule=_createPyodideModule;`;
}

function realmLoader(text) {
  return withoutDynamicImport(text).replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n");
}

/** The realm refuses `import()` anyway; a name that does not exist makes that visible in the text. */
function withoutDynamicImport(text) {
  return text.replace(/\bimport\(/g, "__noImport(");
}

function replaceExactly(text, what, by, times) {
  const parts = text.split(what);
  if (parts.length - 1 !== times) throw new Error(`expected ${times} of ${what} in Pyodide, found ${parts.length - 1}`);
  return parts.join(by);
}

/**
 * The module with a memory maximum of 512 MiB: three bytes of its memory section (WebAssembly core specification,
 * 5.5.8). The maximum is the one bound on memory that the engine keeps for us.
 */
function withLowerMemoryMaximum(original) {
  const wasm = Buffer.from(original);
  const leb = (at) => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = wasm[at++];
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return [value, at];
    }
  };
  for (let at = 8; at < wasm.length; ) {
    const id = wasm[at];
    const [length, body] = leb(at + 1);
    if (id === 5) {
      const [count, limits] = leb(body);
      const [, afterMinimum] = leb(limits + 1);
      const [maximum, end] = leb(afterMinimum);
      if (count !== 1 || wasm[limits] !== 1 || maximum !== 65536 || end - afterMinimum !== 3 || end !== body + length) {
        throw new Error("Pyodide's memory section has another shape than the one this build knows");
      }
      wasm[afterMinimum] = 0x80 | (MEMORY_MAX_PAGES & 127);
      wasm[afterMinimum + 1] = 0x80 | ((MEMORY_MAX_PAGES >> 7) & 127);
      wasm[afterMinimum + 2] = MEMORY_MAX_PAGES >> 14;
      return wasm;
    }
    at = body + length;
  }
  throw new Error("Pyodide's module has no memory section");
}
