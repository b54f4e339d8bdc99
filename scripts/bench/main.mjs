// The bench: what a user would wait for, beside what a user could pick instead, in turn and in one run.
//
//   npm run bench                    speed, at 1,000 and 10,000 pages
//   npm run bench -- --pages 50000   speed, at other sizes (repeatable); --rounds N, --json FILE
//   npm run bench -- --vault FOLDER  speed, on a real vault as well (repeatable)
//   npm run bench -- --no-index N    what a search of N pages without an index file says after 30 s
//   npm run bench -- quality         how well search finds what is known to be right
//   npm run bench -- hybrid          what meaning adds to words
//   npm run bench -- vectors         what a large semantic index costs a search
//
// Figures are medians, and what is asked of them are ratios: machines are shared and noisy.
import { writeFileSync } from "node:fs";
import { basename } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { askedLines, askedOf, tableOf } from "./rows.mjs";
import { measureSpeed, withoutIndex } from "./speed.mjs";

if (process.argv[2] === "quality") {
  await import("./quality.mjs").then(({ main }) => main(process.argv.slice(3)));
} else if (process.argv[2] === "hybrid") {
  await import("./hybrid.mjs").then(({ main }) => main(process.argv.slice(3)));
} else if (process.argv[2] === "vectors") {
  await import("./vectors.mjs").then(({ main }) => main(process.argv.slice(3)));
} else {
  const { values } = parseArgs({
    options: {
      pages: { type: "string", multiple: true, default: ["1000", "10000"] },
      vault: { type: "string", multiple: true, default: [] },
      "no-index": { type: "string" },
      rounds: { type: "string", default: "5" },
      json: { type: "string" },
    },
  });
  const say = (line) => console.error(line);
  const figures = await measureSpeed({
    sizes: values.pages.map(Number),
    vaults: values.vault.map((vault) => ({ name: basename(vault), vault })),
    rounds: Number(values.rounds),
    say,
  });
  const asked = askedOf(figures);
  console.log(`${tableOf(figures)}\n\n${askedLines(asked).join("\n")}`);
  if (values["no-index"]) {
    figures.withoutIndex = await withoutIndex(Number(values["no-index"]), 30, say);
    console.log(`\n${values["no-index"]} pages without an index file, 30 s: ${figures.withoutIndex.reason}`);
  }
  if (values.json) writeFileSync(values.json, `${JSON.stringify({ ...figures, asked }, null, 2)}\n`);
}
