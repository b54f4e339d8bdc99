// What parts of a request cost inside the sandbox; prints JSON. Below the envelope, with the built worker.
//
//   inside VAULT QUERIES    ranking alone; then, when so many pages have changed, reading them beside the whole call
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { loadAssets } from "../../src/assets/parts.ts";
import { Lane } from "../../src/host/lane.ts";

const CHANGED = 500; // pages
const [root, vault, texts] = process.argv.slice(2) as [string, string, string];
const packageRoot = pathToFileURL(root);
const assets = loadAssets(packageRoot);
const lane = new Lane(async () => ({
  assets: await assets,
  root: vault,
  wiki: "wiki",
  answer: async () => "{}",
  entry: new URL("dist/worker.js", packageRoot),
  walkerEntry: new URL("dist/walker.js", packageRoot),
  beforeSealing: readFileSync(new URL("scripts/bench/inside.py", packageRoot), "utf8"),
}));

async function search(query: string): Promise<{ ms: number; told(what: string): number }> {
  const started = performance.now();
  const request = { operation: "search", arguments: { query }, vault: { shown: vault, wiki: "wiki" }, host: {} };
  const { kind, stderr } = await lane.call({
    deadlineMs: 600_000,
    needsListing: true,
    request: (remainingMs) => JSON.stringify({ ...request, remainingMs }),
    onTold() {},
  });
  if (kind !== "answered") throw new Error(`the search was not answered: ${kind}`);
  const ms = performance.now() - started;
  return { ms, told: (what) => Number(new RegExp(`^${what} (.+)$`, "m").exec(stderr)?.[1] ?? Number.NaN) };
}

const queries = JSON.parse(texts) as string[];
await search(queries[0]!);
const rankMs: number[] = [];
for (const query of queries) rankMs.push((await search(query)).told("rank"));

const names = readdirSync(join(vault, "wiki"), { recursive: true, encoding: "utf8" });
const pages = names.filter((name) => name.endsWith(".md")).map((name) => join(vault, "wiki", name));
const changed = pages
  .filter((_, at) => at % Math.max(1, Math.floor(pages.length / CHANGED)) === 0)
  .slice(0, CHANGED)
  .map((page) => ({ page, text: readFileSync(page), times: statSync(page) }));
for (const { page, text } of changed) writeFileSync(page, `${text}\nchanged\n`);
const { ms: changedMs, told } = await search(queries[1]!);
for (const { page, text, times } of changed) {
  writeFileSync(page, text);
  utimesSync(page, times.atime, times.mtime);
}
console.log(JSON.stringify({ rankMs, changedMs, pagesMs: told("pages") }));
await lane.close();
