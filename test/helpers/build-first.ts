// Tests run the built package, as a user would: this builds it when a source is newer than the build.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

export default function buildFirst(): void {
  if (process.env.PI_WIKI_SKIP_BUILD) return; // for tests that need no build, while typing
  const built = `${root}wasm-assets/manifest.json`;
  const madeAt = existsSync(built) && existsSync(`${root}dist/cli.js`) ? statSync(built).mtimeMs : 0;
  const sources = ["src", "py", "scripts"].flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: "utf8" }).map((name) => `${root}${folder}/${name}`),
  );
  const newest = sources.filter((name) => /\.(ts|js|mjs|py|json)$/.test(name)).map((name) => statSync(name).mtimeMs);
  if (Math.max(...newest) > madeAt) execFileSync(process.execPath, [`${root}scripts/build.mjs`], { stdio: "inherit" });
}
