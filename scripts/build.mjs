// Builds the package: dist/ by esbuild, wasm-assets/ from the pinned Pyodide, and the start-up snapshot with the
// package's Python in it. `npm install` runs it; so does every test run that finds sources newer than the build.
import { execFile } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { makeAssets, sha256 } from "./assets.mjs";

const root = new URL("../", import.meta.url);
const path = (name) => fileURLToPath(new URL(name, root));
const KEPT = new Set(["origin.json", "README.md"]);
const packageJson = JSON.parse(readFileSync(path("package.json"), "utf8"));

export async function buildPackage() {
  rmSync(path("dist"), { recursive: true, force: true });
  for (const name of readdirSync(path("wasm-assets"))) {
    if (!KEPT.has(name)) rmSync(path(`wasm-assets/${name}`)); // nothing of an earlier build is left in the package
  }
  const types = writeTypes();
  const shared = { bundle: true, format: "esm", platform: "node", target: "node20.19", legalComments: "linked" };
  // Bundled dependencies written as CommonJS ask for Node's own modules through `require`.
  const banner = {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  };
  await build({
    ...shared,
    banner,
    entryPoints: {
      index: path("src/index.ts"),
      cli: path("src/cli.ts"),
      extension: path("src/extension.ts"),
      worker: path("src/worker/entry.ts"),
      walker: path("src/worker/walker.ts"),
    },
    outdir: path("dist"),
    external: ["@earendil-works/*"],
    define: { __VERSION__: JSON.stringify(packageJson.version) },
    logLevel: "warning",
  });
  await build({ ...shared, entryPoints: [path("src/worker/snapshot.ts")], outfile: path("dist/build/snapshot.js") });
  await build({ ...shared, entryPoints: [path("src/assets/parts.ts")], outfile: path("dist/build/parts.js") });

  const files = makeAssets(root);
  files["realm.js"] = await buildRealm();
  writeFileSync(path("wasm-assets/realm.js"), files["realm.js"]);
  for (const name of pythonSources()) files[`py/${name}`] = readFileSync(path(`py/${name}`));
  const snapshot = "snapshot.bin";
  writeManifest(files);

  process.env.PI_WIKI_COLD_START = "1"; // there is no snapshot to start from yet
  const { codeCacheName, loadAssets } = await import(`${pathToFileURL(path("dist/build/parts.js"))}`);
  const { makeCodeCache, makeSnapshot } = await import(`${pathToFileURL(path("dist/build/snapshot.js"))}`);
  delete WebAssembly.Suspending; // see scripts/glue-modules.mjs
  const { parts } = await loadAssets(root);
  files[snapshot] = Buffer.from(await makeSnapshot(parts));
  writeFileSync(path(`wasm-assets/${snapshot}`), files[snapshot]);
  writeManifest(files);

  delete process.env.PI_WIKI_COLD_START;
  const warm = await loadAssets(root);
  files[codeCacheName()] = Buffer.from(await makeCodeCache(warm.parts));
  writeFileSync(path(`wasm-assets/${codeCacheName()}`), files[codeCacheName()]);
  writeManifest(files);
  rmSync(path("dist/build"), { recursive: true });
  await types;
  return files;
}

/** The declarations that package.json names for programs that import the library. */
async function writeTypes() {
  const tsc = path("node_modules/typescript/bin/tsc");
  await promisify(execFile)(process.execPath, [tsc, "-p", path("tsconfig.types.json")]).catch((error) => {
    throw new Error(`The declarations cannot be made:\n${error.stdout || error.message}`);
  });
}

/** The realm's own script: one expression whose value is the boot function, without module syntax. */
async function buildRealm() {
  const { outputFiles } = await build({
    entryPoints: [path("src/worker/realm/boot.ts")],
    bundle: true,
    format: "iife",
    globalName: "realm",
    platform: "browser",
    target: "es2022",
    write: false,
    legalComments: "inline",
  });
  return Buffer.from(`(() => {\n${outputFiles[0].text}\nreturn realm.default;\n})()\n`);
}

function pythonSources() {
  const wiki = readdirSync(path("py/wiki")).filter((name) => name.endsWith(".py"));
  return ["sandbox.py", ...wiki.sort().map((name) => `wiki/${name}`)];
}

function writeManifest(files) {
  const origin = JSON.parse(readFileSync(path("wasm-assets/origin.json"), "utf8"));
  const manifest = {
    pyodide: { version: origin.version, origin: origin.origin, license: origin.license },
    files: Object.fromEntries(
      Object.entries(files).map(([name, bytes]) => [name, { sha256: sha256(bytes), bytes: bytes.length }]),
    ),
  };
  writeFileSync(path("wasm-assets/manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildPackage();
  process.exit(0); // Pyodide's realm keeps nothing alive, but a build has no reason to wait
}
