// Reads what a sandbox is made of, once a process, and checks every byte against the manifest before it is used.
// Everything is shared between the workers of a process: compiled modules as they are, bytes in shared memory.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import process from "node:process";
import { WikiError } from "../shared/errors.ts";
import type { RealmParts, Script } from "../worker/realm-host.ts";
import glueModules from "./glue-modules.json" with { type: "json" };

/** wasm-assets/manifest.json, written by the build. */
export interface Manifest {
  pyodide: { version: string; origin: string; license: string };
  /** File name below wasm-assets/, or `py/…` for Python's sources: what it must be. */
  files: Record<string, { sha256: string; bytes: number }>;
  /** Files of V8's code cache, by engine; only ever an optimisation. */
  snapshot: string;
}

export interface Assets {
  parts: RealmParts;
  versions: { pyodide: string };
  /** Why sandboxes start without the snapshot, or null. */
  coldReason: string | null;
}

/** The scripts of a realm, in the order in which they run. */
const SCRIPTS = ["realm.js", "pyodide.asm.js", "pyodide.js"];
const FILES = ["python_stdlib.zip", "pyodide-lock.json"];
const WASM = "pyodide.asm.wasm";

/** @param packageRoot the folder that holds `wasm-assets/` and `py/` */
export async function loadAssets(packageRoot: URL): Promise<Assets> {
  const manifest = await readManifest(packageRoot);
  const coldReason = process.env.PI_WIKI_COLD_START ? "PI_WIKI_COLD_START is set" : null;
  const sources = Object.keys(manifest.files).filter((name) => name.startsWith("py/"));
  const names = [...SCRIPTS, ...FILES, WASM, ...(coldReason ? [] : [manifest.snapshot]), ...sources];
  const read = new Map<string, Uint8Array>();
  let mainModule: WebAssembly.Module | undefined;
  await Promise.all(
    names.map(async (name) => {
      const bytes = await checked(packageRoot, name, manifest);
      if (name === WASM) mainModule = await WebAssembly.compile(bytes);
      else read.set(name, share(bytes));
    }),
  );
  const pick = (wanted: string[], cut = 0) =>
    Object.fromEntries(wanted.map((name) => [name.slice(cut), read.get(name)!]));
  return {
    parts: {
      mainModule: mainModule!,
      glueModules: compileGlueModules(),
      files: pick(FILES),
      sources: pick(sources, "py/".length),
      scripts: SCRIPTS.map((name): Script => ({ name, text: new TextDecoder().decode(read.get(name)), cache: null })),
      snapshot: coldReason ? null : read.get(manifest.snapshot)!,
    },
    versions: { pyodide: manifest.pyodide.version },
    coldReason,
  };
}

async function readManifest(packageRoot: URL): Promise<Manifest> {
  const url = new URL("wasm-assets/manifest.json", packageRoot);
  try {
    return JSON.parse(await readFile(url, "utf8")) as Manifest;
  } catch (cause) {
    throw new WikiError(
      "sandbox-failed",
      "wasm-assets/manifest.json of pi-wiki-wasm is missing or damaged; install the package again",
      { cause },
    );
  }
}

async function checked(packageRoot: URL, name: string, manifest: Manifest): Promise<Uint8Array<ArrayBuffer>> {
  const url = new URL(name.startsWith("py/") ? name : `wasm-assets/${name}`, packageRoot);
  const expected = manifest.files[name];
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = await readFile(url);
  } catch (cause) {
    throw new WikiError("sandbox-failed", `${name} of pi-wiki-wasm cannot be read; install the package again`, {
      cause,
    });
  }
  if (!expected || sha256(bytes) !== expected.sha256) {
    throw new WikiError(
      "sandbox-failed",
      `${name} of pi-wiki-wasm is not the file that was published (its SHA-256 differs); install the package again`,
    );
  }
  return bytes;
}

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** The same bytes in shared memory: handed to a worker they are not copied. */
function share(bytes: Uint8Array): Uint8Array {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}

function compileGlueModules(): [string, WebAssembly.Module][] {
  const compiled: [string, WebAssembly.Module][] = [];
  for (const hex of glueModules) {
    try {
      compiled.push([hex, new WebAssembly.Module(Buffer.from(hex, "hex"))]);
    } catch {
      // One of them uses wasm-gc, which Node 20 does not compile; the glue then does without.
    }
  }
  return compiled;
}
