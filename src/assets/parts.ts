// What a sandbox is made of, put together once a process: the modules are compiled here and shared by all workers, the
// files are named here and read by the worker that uses them. Every byte is checked against the manifest before its use.
import { readFile } from "node:fs/promises";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { WikiError } from "../shared/errors.ts";
import type { RealmParts } from "../worker/realm-host.ts";
import { type AssetFile, readAssetSoon } from "./files.ts";
import glueModules from "./glue-modules.json" with { type: "json" };

/** wasm-assets/manifest.json, written by the build. */
export interface Manifest {
  pyodide: { version: string; origin: string; license: string };
  /** File name below wasm-assets/, or `py/…` for Python's sources: what it must be. */
  files: Record<string, { sha256: string; bytes: number }>;
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
const SNAPSHOT = "snapshot.bin";

/** @param packageRoot the folder that holds `wasm-assets/` and `py/` */
export async function loadAssets(packageRoot: URL): Promise<Assets> {
  const manifest = await readManifest(packageRoot);
  const file = (name: string): AssetFile => {
    const known = manifest.files[name];
    if (!known) throw broken(`${name} is not in wasm-assets/manifest.json of pi-wiki-wasm`);
    const url = new URL(name.startsWith("py/") ? name : `wasm-assets/${name}`, packageRoot);
    return { name: name.startsWith("py/") ? name.slice("py/".length) : name, path: fileURLToPath(url), ...known };
  };
  const codeCache = codeCacheName();
  const coldReason = process.env.PI_WIKI_COLD_START ? "PI_WIKI_COLD_START is set" : null;
  const sources = Object.keys(manifest.files).filter((name) => name.startsWith("py/"));
  return {
    parts: {
      mainModule: await compileMain(file(WASM)),
      glueModules: compileGlueModules(),
      files: FILES.map(file),
      sources: sources.map(file),
      scripts: SCRIPTS.map(file),
      codeCache: manifest.files[codeCache] ? await readCodeCache(file(codeCache)) : [],
      snapshot: coldReason ? null : file(SNAPSHOT),
    },
    versions: { pyodide: manifest.pyodide.version },
    coldReason,
  };
}

/** V8 takes a code cache only from the very same V8; for others the first sandbox of a process makes one. */
export function codeCacheName(): string {
  return `code-cache-${process.versions.v8}-${process.arch}.bin`;
}

/** Its file: for each script four bytes of length, low byte first, and the cache. */
async function readCodeCache(file: AssetFile): Promise<Uint8Array[]> {
  const bytes = Buffer.from((await readAssetSoon(file)).buffer);
  const caches: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readUInt32LE(at);
    caches.push(bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return caches;
}

async function readManifest(packageRoot: URL): Promise<Manifest> {
  try {
    return JSON.parse(await readFile(new URL("wasm-assets/manifest.json", packageRoot), "utf8")) as Manifest;
  } catch (cause) {
    throw broken("wasm-assets/manifest.json of pi-wiki-wasm is missing or damaged", cause);
  }
}

/** Compiled from the very bytes that were checked. */
async function compileMain(file: AssetFile): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compile(await readAssetSoon(file));
  } catch (cause) {
    throw new WikiError("sandbox-failed", (cause as Error).message, { cause });
  }
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

function broken(what: string, cause?: unknown): WikiError {
  return new WikiError("sandbox-failed", `${what}; install the package again`, { cause });
}
