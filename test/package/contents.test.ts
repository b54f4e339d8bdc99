// What is published: everything that the package needs, and nothing else.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "../helpers/garden.ts";

const packageJson = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8"));
const manifest = JSON.parse(readFileSync(join(projectRoot, "wasm-assets/manifest.json"), "utf8"));

// Without scripts: `prepare` would build under the other tests.
const [packed] = JSON.parse(
  execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: projectRoot, encoding: "utf8" }),
) as [{ files: { path: string }[]; size: number }];
const published = packed.files.map(({ path }) => path).sort();

/** What each kind of file is there for; the last group is whatever package.json points at. */
function expected(): string[] {
  const assets = Object.keys(manifest.files).map((name) => (name.startsWith("py/") ? name : `wasm-assets/${name}`));
  const programs = ["cli", "extension", "index", "walker", "worker"].flatMap((name) => [
    `dist/${name}.js`,
    `dist/${name}.js.LEGAL.txt`,
  ]);
  const types = readdirSync(join(projectRoot, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"))
    .map((name) => `dist/types/${name.replace(/\.ts$/, ".d.ts")}`)
    .filter((name) => existsSync(join(projectRoot, name)));
  const texts = ["CHANGELOG.md", "DESIGN.md", "LICENSE", "README.md", "SECURITY.md", "package.json"];
  return [...assets, ...programs, ...types, ...texts, "wasm-assets/manifest.json", "wasm-assets/origin.json"].sort();
}

test("exactly the files of the manifest, the programs, their types and the texts for people are published", () => {
  expect(published).toEqual(expected());
});

test("every file that package.json points at is published", () => {
  const { bin, exports, pi } = packageJson;
  const named = [...Object.values(bin), ...Object.values(exports["."]), ...pi.extensions] as string[];
  expect(named.length).toBeGreaterThanOrEqual(4);
  for (const file of named) expect(published).toContain(file.replace("./", ""));
});

test("every declaration that another one imports is published", () => {
  const types = published.filter((name) => name.startsWith("dist/types/"));
  expect(types).toContain("dist/types/index.d.ts");
  for (const name of types) {
    const text = readFileSync(join(projectRoot, name), "utf8");
    for (const [, from] of text.matchAll(/from "(\.[^"]+)"/g)) {
      expect(types, name).toContain(join(name, "..", from!.replace(/\.ts$/, ".d.ts")));
    }
  }
});

test("no text of it carries a path of the machine that built it", () => {
  for (const name of published.filter((path) => /^dist\/.*\.(js|ts)$|\.json$|\.md$|realm\.js$/.test(path))) {
    expect(readFileSync(join(projectRoot, name), "utf8"), name).not.toContain(projectRoot);
  }
});

test("it is small enough to be installed without a thought", () => {
  expect(packed.size).toBeLessThan(20 * 1024 * 1024);
});
