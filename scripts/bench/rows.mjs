// What is measured, the table of it, and what is asked of the figures. Everything asked is a ratio of two rows of one
// run, except for what a person or a machine feels as such: megabytes, and the milliseconds of ranking.
import { execFileSync } from "node:child_process";

export const OURS = "pi-wiki-wasm";
export const BRIDGE = "native Python, a process a call, bm25.json";
export const PYTHON = "native Python, a process a call, index.bin";
export const WARM_PYTHON = "native Python, warm";
export const READING = "of that, reading and tokenising";
export const WALK = "lstat walk by Node";

const COLUMNS = [
  "first result, new process",
  "warm query",
  "ranking alone",
  "after one page changed",
  "after 500 pages changed",
  "live index from nothing",
  "index file",
  "peak memory, MB",
  "its peak memory, MB",
];

const ms = ({ median, p95, count }) => {
  const digits = (value) => value.toFixed(value < 10 ? 1 : 0);
  return count > 1 ? `${digits(median)} (${digits(p95)})` : digits(median);
};

export function tableOf({ node, floors, sizes }) {
  const lines = [
    `Node ${node}, ${execFileSync("python3", ["--version"], { encoding: "utf8" }).trim()}; milliseconds, median (p95).`,
    "",
    "| floor | start |",
    "| --- | --- |",
    ...Object.entries(floors).map(([name, value]) => `| ${name} | ${ms(value)} |`),
  ];
  for (const [size, { rows, indexBytes }] of Object.entries(sizes)) {
    const columns = COLUMNS.filter((column) => Object.values(rows).some((row) => row[column]));
    lines.push(
      "",
      `${size} pages; index file ${(indexBytes / 1e6).toFixed(1)} MB`,
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

/** Each thing asked: what, the figure, what it may be, and whether it is. */
export function askedOf({ floors, sizes }) {
  const asked = [];
  const atMost = (what, figure, most, unit = "") => asked.push({ what, figure, most, unit, is: figure <= most });
  const start = floors.sandbox.median;
  atMost("a sandbox's start / a bare snapshot's", start / floors["bare snapshot"].median, 1.6);
  atMost("a sandbox's start / loadPyodide, cold", start / floors["loadPyodide, cold"].median, 1 / 4);
  for (const [size, { rows, indexBytes }] of Object.entries(sizes)) {
    const ours = rows[OURS];
    const of = (row, column) => rows[row][column].median;
    const first = ours["first result, new process"].median;
    const warm = ours["warm query"].median;
    const walk = of(WALK, "warm query");
    const rank = ours["ranking alone"];
    const at = (text) => `${size} pages: ${text}`;
    const large = Number(size) > 10_000;
    if (size === "10000") {
      atMost(at("first result / native bridge"), first / of(BRIDGE, "first result, new process"), 0.35);
      atMost(at("first result / (bare Node + sandbox)"), first / (floors["bare Node"].median + start), 2);
      atMost(at("warm query / native bridge"), warm / of(BRIDGE, "first result, new process"), 1 / 25);
      atMost(at("warm query / lstat walk"), warm / walk, 1.3);
      atMost(at("one page changed / lstat walk"), ours["after one page changed"].median / walk, 1.6);
      atMost(
        at("500 pages changed / reading and tokenising them"),
        ours["after 500 pages changed"].median / of(READING, "after 500 pages changed"),
        2,
      );
      atMost(
        at("live index from nothing / native Python's index build"),
        ours["live index from nothing"].median / of(PYTHON, "index file"),
        1.5,
      );
    }
    if (large && sizes["10000"]) {
      const smaller = sizes["10000"].rows[OURS]["first result, new process"].median;
      atMost(at("first result / that at 10,000 pages"), first / smaller, 1.3);
    }
    if (!/^\d+$/.test(size) || Number(size) < 10_000) continue;
    atMost(at("ranking alone, median"), rank.median, Number(size) > 10_000 ? 25 : 5, " ms");
    atMost(at("ranking alone, p95 / median"), rank.p95 / rank.median, 4);
    const most = large ? 600 : 300;
    atMost(at("peak memory, index file"), ours["peak memory, MB"].median, most, " MB");
    atMost(at("peak memory, live index"), ours["its peak memory, MB"].median, most, " MB");
    atMost(at("index file for each 10,000 pages"), indexBytes / 1e6 / (Number(size) / 10_000), 40, " MB");
  }
  return asked;
}

export function askedLines(asked) {
  const number = (value) => (value < 10 ? value.toFixed(2) : value.toFixed(0));
  return asked.map(
    ({ what, figure, most, unit, is }) =>
      `${is ? "yes" : "NO "}  ${what}: ${number(figure)}${unit} (at most ${number(most)}${unit})`,
  );
}
