// The tests' stand-in for Ollama, which is TypeScript. It finds its model beside the project's other packages.
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export async function standIn() {
  const folder = mkdtempSync(join(ROOT, "node_modules/.pi-wiki-bench-"));
  const outfile = join(folder, "fake-ollama.mjs");
  const entryPoints = [join(ROOT, "test/helpers/fake-ollama.ts")];
  try {
    await build({ entryPoints, outfile, bundle: true, platform: "node", format: "esm", packages: "external" });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
