// Speed, beside what a user could pick instead: each row is measured in turn, round after round, so that a machine that
// slows down slows all of them down.
import { execFileSync, spawn } from "node:child_process";
import { appendFileSync, existsSync, lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { chanceOf, writeCorpus } from "./corpus.mjs";
import { makeRivals } from "./rivals.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const CHILD = fileURLToPath(new URL("./child.mjs", import.meta.url));
const QUERIES = 50;

export async function measureSpeed({ sizes, rounds, say }) {
  const figures = { node: process.version, rounds, floors: await floors(rounds, say), sizes: {} };
  for (const pages of sizes) figures.sizes[pages] = await measureSize(pages, rounds, say);
  return { figures, table: tableOf(figures) };
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

async function measureSize(pages, rounds, say) {
  const vault = corpus(pages, say);
  const queries = queriesFor(vault);
  const rows = {};
  const note = (row, column, ms) => {
    rows[row] ??= {};
    rows[row][column] ??= [];
    rows[row][column].push(...[ms].flat());
  };

  say(`${pages} pages: live index, index file`);
  const live = JSON.parse(await run(process.execPath, [CHILD, "live", vault], { PI_WIKI_TIMEOUT_MS: "600000" }));
  note("pi-wiki-wasm", "index build", live.buildMs);
  const cli = [join(ROOT, "dist/cli.js"), "--vault", vault, "--timeout", "600"];
  await run(process.execPath, [cli[0], "index", "--compat", ...cli.slice(1)]);
  const indexBytes = sizeOf(vault, /\.bin$/);
  const rivals = makeRivals(vault);

  for (let round = 0; round < rounds; round++) {
    say(`${pages} pages: round ${round + 1} of ${rounds}`);
    const query = queries[round % queries.length];
    note(
      "pi-wiki-wasm",
      "first result, new process",
      await timed(() => run(process.execPath, [cli[0], "search", query, ...cli.slice(1)])),
    );
    const bridge = () =>
      run("python3", ["-m", "wiki", "search", query, "--vault", vault], { PYTHONPATH: join(ROOT, "py") });
    note("native Python, a process a call", "first result, new process", await timed(bridge));
    const warm = JSON.parse(await run(process.execPath, [CHILD, "warm", vault, JSON.stringify(queries)]));
    note("pi-wiki-wasm", "warm query", warm.queryMs);
    note("pi-wiki-wasm", "peak memory, MB", warm.peakMb);
    note("pi-wiki-wasm", "after one page changed", warm.changedMs);
    for (const [name, rival] of Object.entries(rivals)) {
      if (round === 0) note(name, "index build", await timed(rival.build));
      for (const text of queries) note(name, "warm query", await timed(() => rival.search(text)));
    }
    note("lstat walk by Node", "warm query", await timed(() => walk(join(vault, "wiki"))));
  }
  return { indexBytes, rows: mapped(rows, (columns) => mapped(columns, summary)) };
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

function queriesFor(vault) {
  const chance = chanceOf(11);
  const files = pagesOf(join(vault, "wiki"));
  return Array.from({ length: QUERIES }, (_, at) => {
    const words = readFileSync(files[Math.floor(chance() * files.length)], "utf8").match(/[a-z]{3,}/g);
    return Array.from({ length: [1, 2, 4][at % 3] }, () => words[Math.floor(chance() * words.length)]).join(" ");
  });
}

function pagesOf(folder) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name));
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

export function summary(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  return { median: at(0.5), p95: at(0.95), count: sorted.length };
}

function mapped(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

function tableOf({ node, floors: floor, sizes }) {
  const ms = ({ median, p95 }) => `${median.toFixed(median < 10 ? 1 : 0)} (${p95.toFixed(p95 < 10 ? 1 : 0)})`;
  const columns = [
    "first result, new process",
    "warm query",
    "after one page changed",
    "index build",
    "peak memory, MB",
  ];
  const lines = [
    `Node ${node}, ${execFileSync("python3", ["--version"], { encoding: "utf8" }).trim()}; milliseconds, median (p95).`,
    "",
    "| floor | start |",
    "| --- | --- |",
    ...Object.entries(floor).map(([name, value]) => `| ${name} | ${ms(value)} |`),
  ];
  for (const [pages, { rows, indexBytes }] of Object.entries(sizes)) {
    lines.push(
      "",
      `${Number(pages).toLocaleString("en")} pages; index file ${(indexBytes / 1e6).toFixed(1)} MB`,
      "",
      `| | ${columns.join(" | ")} |`,
      `| --- |${" --- |".repeat(columns.length)}`,
      ...Object.entries(rows).map(
        ([name, row]) => `| ${name} | ${columns.map((column) => (row[column] ? ms(row[column]) : "–")).join(" | ")} |`,
      ),
    );
  }
  return lines.join("\n");
}
