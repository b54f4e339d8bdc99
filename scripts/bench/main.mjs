// The bench: what a user would wait for, beside what a user could pick instead, in turn and in one run.
//
//   npm run bench                    speed, at 1,000 and 10,000 pages
//   npm run bench -- --pages 50000   speed, at other sizes (repeatable)
//   npm run bench -- quality         how well search finds what is known to be right
//   npm run bench -- hybrid          what meaning adds to words
//   npm run bench -- vectors         what a large semantic index costs a search
//
// Figures are medians, and what is asked of them are ratios: machines are shared and noisy.
import { writeFileSync } from "node:fs";
import process from "node:process";
import { parseArgs } from "node:util";
import { measureSpeed } from "./speed.mjs";

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
      rounds: { type: "string", default: "5" },
      json: { type: "string" },
    },
  });
  const sizes = values.pages.map(Number);
  const { table, figures } = await measureSpeed({
    sizes,
    rounds: Number(values.rounds),
    say: (line) => console.error(line),
  });
  console.log(table);
  if (values.json) writeFileSync(values.json, `${JSON.stringify(figures, null, 2)}\n`);
}
