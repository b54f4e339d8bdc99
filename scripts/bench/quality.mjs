// How well search finds what is known to be right: judged collections beside the best peer, known pages in fourteen
// languages, misspelled words. The figures come from the Python as it is, natively.
//
//   npm run bench -- quality [--data FOLDER] [--json FILE] [--python COMMAND]
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SCRIPT = fileURLToPath(new URL("./quality.py", import.meta.url));

/** What the best tool that users could pick instead reaches on the same pages and queries: nDCG@10, Recall@100. */
const PEERS = {
  cranfield: { language: "English", peer: "SQLite FTS5 porter; lunr", ndcg10: 0.39, recall100: 0.761 },
  cisi: { language: "English", peer: "SQLite FTS5 porter", ndcg10: 0.401, recall100: 0.386 },
  cmrc: { language: "Chinese", peer: "MiniSearch, Intl.Segmenter", ndcg10: 0.987, recall100: 1 },
  jsquad: { language: "Japanese", peer: "MiniSearch, Intl.Segmenter", ndcg10: 0.941, recall100: 0.992 },
};
const SPELLED = { folders: ["en", "de", "fr", "ru", "uk"], cases: 100, seed: 20260517 };

/** Measures everything the data folder allows; the table as Markdown and the figures. */
export function measureQuality(dataFolder, { python = "python3", say = () => {} } = {}) {
  const judged = {};
  for (const name of Object.keys(PEERS)) {
    say(`judged: ${name}`);
    const folder = join(dataFolder, "judged", name);
    const vault = unpacked(join(folder, "wiki.tar.xz"), `judged-${name}`);
    judged[name] = run(python, "judged", vault, join(folder, "queries.tsv"), join(folder, "qrels.tsv"));
  }
  const help = unpacked(join(dataFolder, "help14.tar.xz"), "help14");
  say("known pages in fourteen languages");
  const known = run(python, "known", help);
  const spelling = {};
  for (const [at, language] of SPELLED.folders.entries()) {
    say(`misspelled words: ${language}`);
    spelling[language] = run(python, "spelling", help, `wiki/${language}`, SPELLED.cases, SPELLED.seed + at);
  }
  const figures = { judged, known, spelling };
  return { figures, table: tableOf(figures), reached: reachedBy(figures) };
}

/** What is asked of the figures, and whether they do it. */
function reachedBy({ judged, known, spelling }) {
  const pairs = Object.entries(PEERS).flatMap(([name, peer]) =>
    ["ndcg10", "recall100"].map((measure) => [rounded(judged[name].all[measure]), peer[measure]]),
  );
  const cases = Object.values(spelling);
  return {
    "no measure below the best peer": pairs.every(([ours, theirs]) => ours >= theirs),
    "better in at least half": pairs.filter(([ours, theirs]) => ours > theirs).length * 2 >= pairs.length,
    "titles found in every language (95 %)": Object.values(known).every(
      ({ apart, titleApart }) => titleApart >= 0.95 * apart,
    ),
    "sentences found in every language (95 %)": Object.values(known).every(
      ({ sentences, sentence }) => sentence >= 0.95 * sentences,
    ),
    "misspelled words found (85 %)": cases.reduce((sum, { found }) => sum + found, 0) / cases.length >= 0.85,
  };
}

function tableOf({ judged, known, spelling }) {
  const lines = [
    "| collection | best peer: nDCG@10, Recall@100 | here, all queries | tuned half | other half |",
    "| --- | --- | --- | --- | --- |",
  ];
  for (const [name, peer] of Object.entries(PEERS)) {
    const { queries, all, tuned, rest } = judged[name];
    lines.push(
      `| ${name}, ${peer.language}, ${queries} | ${peer.ndcg10.toFixed(3)}, ${peer.recall100.toFixed(3)} (${peer.peer}) | **${both(all)}** | ${both(tuned)} | ${both(rest)} |`,
    );
  }
  lines.push(
    "",
    "| language | pages | by title among the first three | where at most three pages have that title | by a sentence |",
    "| --- | --- | --- | --- | --- |",
  );
  for (const [language, count] of Object.entries(known).sort()) {
    const { pages, title, apart, titleApart, sentences, sentence } = count;
    lines.push(
      `| ${language} | ${pages} | ${percent(title / pages)} | ${percent(titleApart / apart)} of ${apart} | ${percent(sentence / sentences)} |`,
    );
  }
  lines.push("", "| misspelled rare word | cases | of the first five |", "| --- | --- | --- |");
  for (const [language, { cases, found }] of Object.entries(spelling)) {
    lines.push(`| ${language} | ${cases} | ${percent(found)} |`);
  }
  return lines.join("\n");
}

function run(python, ...args) {
  const env = { ...process.env, PYTHONPATH: join(ROOT, "py"), PYTHONDONTWRITEBYTECODE: "1" };
  return JSON.parse(
    execFileSync(python, [SCRIPT, ...args.map(String)], {
      encoding: "utf8",
      env,
      stdio: ["ignore", "pipe", "inherit"],
    }),
  );
}

function unpacked(archive, name) {
  if (!existsSync(archive)) throw new Error(`There is no ${archive}. Name the folder with --data.`);
  const vault = join(tmpdir(), "pi-wiki-bench", name);
  if (!existsSync(join(vault, "wiki"))) {
    mkdirSync(vault, { recursive: true });
    execFileSync("tar", ["-xJf", archive, "-C", vault]);
  }
  return vault;
}

const rounded = (value) => Math.round(value * 1000) / 1000;
const both = ({ ndcg10, recall100 }) => `${ndcg10.toFixed(3)}, ${recall100.toFixed(3)}`;
const percent = (share) => `${(100 * share).toFixed(1)} %`;

function option(name, fallback) {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : process.argv[at + 1];
}

/** Run from the command line: the table to stdout, 1 when something asked is not reached. */
export function main() {
  const data = resolve(option("data", join(ROOT, "../shared/data")));
  const measured = measureQuality(data, { python: option("python", "python3"), say: (line) => console.error(line) });
  console.log(measured.table);
  for (const [what, is] of Object.entries(measured.reached)) console.log(`${is ? "yes" : "NO "}  ${what}`);
  const file = option("json");
  if (file) writeFileSync(file, `${JSON.stringify({ ...measured.figures, reached: measured.reached }, null, 2)}\n`);
  process.exitCode = Object.values(measured.reached).every(Boolean) ? 0 : 1;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) main();
