// What meaning adds to words: the judged English collections as they are, and queries that say what a page of the demo
// vault says in none of its words. A real embedding model answers behind the tests' stand-in for Ollama, and every
// search takes the whole way through the built package and its sandbox.
//
//   npm run bench -- hybrid [--data FOLDER] [--json FILE]
//
// The first run embeds some three thousand pages, which takes minutes; their index is kept in the temporary folder.
import { execFile, execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { standIn } from "./stand-in.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const JUDGED = ["cranfield", "cisi"];
const MODEL_NAME = "universal-sentence-encoder"; // only a name here: the stand-in has one model
const LEAST_ON_REWRITTEN = 1.1; // times the nDCG@10 of words alone
const LEAST_AS_THEY_ARE = 0.97;

export async function main(args) {
  const data = resolve(option(args, "data", join(ROOT, "../shared/data")));
  const { startFakeOllama } = await standIn();
  const ollama = await startFakeOllama({ model: MODEL_NAME });
  try {
    const figures = {};
    for (const name of JUDGED) {
      const folder = join(data, "judged", name);
      figures[name] = await measure(ollama, unpacked(join(folder, "wiki.tar.xz"), name), judged(folder), name);
    }
    const rewritten = JSON.parse(readFileSync(join(ROOT, "fixtures/eval/rewritten.json"), "utf8"));
    const queries = rewritten.map(({ query, page }) => ({ query, pages: new Set([page]) }));
    figures.rewritten = await measure(ollama, demoVault(), queries, "rewritten");
    report(figures, option(args, "json"));
  } finally {
    await ollama.close();
  }
}

function report(figures, file) {
  console.log(
    "| queries | | words: nDCG@10 | hybrid: nDCG@10 | hybrid by words | in one half | in the other | meaning was left out of |",
  );
  console.log("| --- | --- | --- | --- | --- | --- | --- | --- |");
  const reached = [];
  for (const [name, { all, halves, leftOut }] of Object.entries(figures)) {
    const ratio = all.hybrid / all.words;
    const parts = halves.map(({ words, hybrid }) => `${hybrid.toFixed(3)} / ${words.toFixed(3)}`);
    console.log(
      `| ${name} | ${all.queries} | ${all.words.toFixed(3)} | ${all.hybrid.toFixed(3)} | ${ratio.toFixed(2)} | ${parts.join(" | ")} | ${leftOut} |`,
    );
    reached.push(ratio >= (name === "rewritten" ? LEAST_ON_REWRITTEN : LEAST_AS_THEY_ARE));
  }
  if (file) writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`);
  process.exitCode = reached.every(Boolean) ? 0 : 1;
}

async function measure(ollama, vault, queries, name) {
  const env = { ...process.env, PI_WIKI_OLLAMA_URL: ollama.url, PI_WIKI_OLLAMA_MODEL: MODEL_NAME };
  console.error(`${name}: index`);
  const command = [join(ROOT, "dist/cli.js"), "index", "--semantic", "--json", "--vault", vault];
  // Not waited for in place: the stand-in that answers it lives in this process.
  const { stdout } = await promisify(execFile)(process.execPath, command, { env, maxBuffer: 1 << 26 });
  const { payload } = JSON.parse(stdout);
  const { pending, deferredCount, error } = payload.semantic;
  if (pending || deferredCount || error) throw new Error(`${name} is not all embedded: ${error ?? "see doctor"}`);
  const { openWiki } = await import(pathToFileURL(join(ROOT, "dist/index.js")).href);
  const wiki = openWiki({ vault, env });
  const gains = [];
  let leftOut = 0;
  try {
    for (const [at, { query, pages }] of queries.entries()) {
      if (at % 20 === 0) console.error(`${name}: ${at} of ${queries.length}`);
      const gained = {};
      for (const mode of ["words", "hybrid"]) {
        const { ok, message, payload } = await wiki.call("search", { query, limit: 10, hybrid: mode === "hybrid" });
        if (!ok) throw new Error(message);
        gained[mode] = gain(payload.results, pages);
        if (mode === "hybrid" && payload.fallback !== "hybrid") leftOut += 1;
      }
      gains.push(gained);
    }
  } finally {
    await wiki.close();
  }
  // Every other query, and the rest: how far the figure hangs on which queries were looked at.
  const halves = [0, 1].map((half) => mean(gains.filter((_, at) => at % 2 === half)));
  return { all: mean(gains), halves, leftOut };
}

function mean(gains) {
  const of = (mode) => gains.reduce((sum, gained) => sum + gained[mode], 0) / gains.length;
  return { queries: gains.length, words: of("words"), hybrid: of("hybrid") };
}

/** Binary nDCG@10. */
function gain(results, wanted) {
  const found = results.reduce((sum, { path }, at) => sum + (wanted.has(path) ? 1 / Math.log2(at + 2) : 0), 0);
  let ideal = 0;
  for (let at = 0; at < Math.min(10, wanted.size); at++) ideal += 1 / Math.log2(at + 2);
  return found / ideal;
}

function judged(folder) {
  const relevant = new Map();
  for (const [id, page, grade] of rows(join(folder, "qrels.tsv"))) {
    if (Number(grade) <= 0) continue;
    if (!relevant.has(id)) relevant.set(id, new Set());
    relevant.get(id).add(`wiki/${page}`);
  }
  return rows(join(folder, "queries.tsv"))
    .filter(([id]) => relevant.has(id))
    .map(([id, query]) => ({ query, pages: relevant.get(id) }));
}

function rows(file) {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => line.split("\t"));
}

function unpacked(archive, name) {
  if (!existsSync(archive)) throw new Error(`There is no ${archive}. Name the folder with --data.`);
  const vault = join(tmpdir(), "pi-wiki-bench", `hybrid-${name}`);
  if (!existsSync(join(vault, "wiki"))) {
    mkdirSync(vault, { recursive: true });
    execFileSync("tar", ["-xJf", archive, "-C", vault]);
  }
  return vault;
}

function demoVault() {
  const vault = join(tmpdir(), "pi-wiki-bench", "hybrid-rewritten");
  cpSync(join(ROOT, "fixtures/vaults/garden"), vault, { recursive: true, preserveTimestamps: true });
  return vault;
}

function option(args, name, fallback) {
  const at = args.indexOf(`--${name}`);
  return at < 0 ? fallback : args[at + 1];
}
