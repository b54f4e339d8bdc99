// Bundles one TypeScript program of the tests into plain JavaScript, so that any Node can run it beside the built package.
import { mkdirSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = new URL("../", import.meta.url);

/** The path of the bundle of a program named from the project's root. */
export async function bundleProgram(source) {
  const folder = fileURLToPath(new URL("node_modules/.cache/pi-wiki/", root));
  mkdirSync(folder, { recursive: true });
  const outfile = `${folder}${basename(source, ".ts")}-${process.pid}.mjs`;
  await build({
    entryPoints: [fileURLToPath(new URL(source, root))],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    banner: { js: 'import { createRequire as __r } from "node:module"; const require = __r(import.meta.url);' },
  });
  return outfile;
}
