// Speed, beside what a user could pick instead: each row is measured in turn, round after round, so that a machine that
// slows down slows all of them down.
import { spawn } from "node:child_process";
import { appendFileSync, cpSync, existsSync, lstatSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { bundleProgram } from "../bundle-program.mjs";
import { makeQueries, writeCorpus } from "./corpus.mjs";
import { makeRivals } from "./rivals.mjs";
import { BRIDGE, OURS, PYTHON, READING, WALK, WARM_PYTHON } from "./rows.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const CHILD = fileURLToPath(new URL("./child.mjs", import.meta.url));
const NATIVE = fileURLToPath(new URL("./native.py", import.meta.url));
const CLI = join(ROOT, "dist/cli.js");
const QUERIES = 50;
const LARGE = 30_000; // from so many pages on, what takes many seconds a call is measured once, or not at all
const LONG = { PI_WIKI_TIMEOUT_MS: "600000" };

export async function measureSpeed({ sizes, vaults = [], rounds, say }) {
  const inside = await bundleProgram("scripts/bench/inside.ts");
  const figures = { node: process.version, rounds, floors: await floors(rounds, say), sizes: {} };
  for (const pages of sizes) {
    figures.sizes[pages] = await measureVault(corpus(pages, say), pages, { rounds, inside, say });
  }
  for (const { name, vault } of vaults) {
    const pages = pagesOf(vault).length;
    const copy = copied(vault, join(tmpdir(), `pi-wiki-bench-vault-${name}`)); // pages are changed, index files removed
    figures.sizes[`${name}, ${pages}`] = await measureVault(copy, pages, { rounds, inside, say });
  }
  return figures;
}

async function floors(rounds, say) {
  say("floors");
  const node = [];
  const starts = { "bare snapshot": [], sandbox: [], "loadPyodide, cold": [] };
  for (let round = 0; round < rounds; round++) {
    node.push(await timed(() => run(process.execPath, ["-e", "0"])));
    for (const [name, kind] of [
      ["bare snapshot", "snapshot"],
      ["sandbox", "sandbox"],
      ["loadPyodide, cold", "cold"],
    ]) {
      starts[name].push(...JSON.parse(await run(process.execPath, [CHILD, kind])).startMs);
    }
  }
  return { "bare Node": summary(node), ...mapped(starts, summary) };
}

async function measureVault(vault, pages, { rounds, inside, say }) {
  const queries = makeQueries(QUERIES);
  const rows = {};
  const note = (row, column, value) => {
    rows[row] ??= {};
    rows[row][column] ??= [];
    rows[row][column].push(...[value].flat());
  };
  const node = (...args) => run(process.execPath, args, LONG);
  const python = (...args) => run("python3", args, { PYTHONPATH: join(ROOT, "py"), PYTHONDONTWRITEBYTECODE: "1" });
  const json = async (answer) => JSON.parse(await answer);

  say(`${pages} pages: index files`);
  rmSync(join(vault, ".vault-meta"), { recursive: true, force: true });
  const live = await json(node(CHILD, "live", vault));
  note(OURS, "live index from nothing", live.buildMs);
  note(OURS, "its peak memory, MB", live.peakMb);
  const bare = await json(python(NATIVE, vault, JSON.stringify(queries.slice(0, 1))));
  note(WARM_PYTHON, "live index from nothing", bare.firstMs);
  const today = `${vault}-json`; // the same pages once more, with an index as the Python package has it today
  if (pages < LARGE) {
    copied(vault, today);
    await node(CLI, "index", "--compat", "--vault", today);
    rmSync(join(today, ".vault-meta/retrieval/index.bin"));
  }
  note(PYTHON, "index file", await timed(() => python("-m", "wiki", "index", "--vault", vault)));
  note(OURS, "index file", await timed(() => node(CLI, "index", "--vault", vault)));
  const rivals = makeRivals(vault);

  for (let round = 0; round < rounds; round++) {
    say(`${pages} pages: round ${round + 1} of ${rounds}`);
    const query = queries[round % queries.length];
    const first = (row, action) => timed(action).then((ms) => note(row, "first result, new process", ms));
    await first(OURS, () => node(CLI, "search", query, "--vault", vault));
    if (pages < LARGE) await first(BRIDGE, () => python("-m", "wiki", "search", query, "--vault", today));
    await first(PYTHON, () => python("-m", "wiki", "search", query, "--vault", vault));
    const warm = await json(node(CHILD, "warm", vault, JSON.stringify(queries)));
    note(OURS, "warm query", warm.queryMs);
    note(OURS, "peak memory, MB", warm.peakMb);
    note(OURS, "after one page changed", warm.changedMs);
    if (round === 0 || pages < LARGE)
      note(WARM_PYTHON, "warm query", (await json(python(NATIVE, vault, JSON.stringify(queries)))).queryMs);
    const parts = await json(node(inside, ROOT, vault, JSON.stringify(queries)));
    note(OURS, "ranking alone", parts.rankMs);
    note(OURS, "after 500 pages changed", parts.changedMs);
    note(READING, "after 500 pages changed", parts.pagesMs);
    for (const [name, rival] of Object.entries(rivals)) {
      if (round === 0) note(name, "index file", await timed(rival.build));
      for (const text of queries) note(name, "warm query", await timed(() => rival.search(text)));
    }
    for (let walks = 0; walks < 5; walks++) note(WALK, "warm query", await timed(() => walk(join(vault, "wiki"))));
  }
  return { indexBytes: sizeOf(vault, /\.bin$/), rows: mapped(rows, (columns) => mapped(columns, summary)) };
}

/** The answer to a search of a vault without any index file that has `seconds`: what it says of the index. */
export async function withoutIndex(pages, seconds, say) {
  say(`${pages} pages, no index file, ${seconds} s`);
  const vault = corpus(pages, say);
  rmSync(join(vault, ".vault-meta"), { recursive: true, force: true });
  const answer = await run(process.execPath, [
    CLI,
    "search",
    "a",
    "--vault",
    vault,
    "--timeout",
    `${seconds}`,
    "--json",
  ]);
  const { payload } = JSON.parse(answer);
  return { fallback: payload.fallback, reason: payload.reason };
}

/** A corpus is made once and kept between runs. */
function corpus(pages, say) {
  const folder = join(tmpdir(), `pi-wiki-bench-${pages}`);
  if (!existsSync(join(folder, "done"))) {
    say(`making ${pages} pages`);
    writeCorpus(folder, pages);
    appendFileSync(join(folder, "done"), "");
  }
  return folder;
}

function copied(vault, other) {
  rmSync(other, { recursive: true, force: true });
  cpSync(join(vault, "wiki"), join(other, "wiki"), { recursive: true, preserveTimestamps: true });
  return other;
}

function pagesOf(vault) {
  return readdirSync(join(vault, "wiki"), { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"));
}

function walk(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) walk(join(folder, entry.name));
    else lstatSync(join(folder, entry.name), { bigint: true });
  }
}

function sizeOf(vault, names) {
  const folder = join(vault, ".vault-meta/retrieval");
  const files = readdirSync(folder).filter((name) => names.test(name));
  return files.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

async function timed(action) {
  const started = performance.now();
  await action();
  return performance.now() - started;
}

function run(command, args, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
    });
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolve(text) : reject(new Error(`${command} ended with ${code}: ${text.slice(0, 300)}`)),
    );
  });
}

function summary(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  return { median: at(0.5), p95: at(0.95), count: sorted.length };
}

function mapped(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}
