// A program on Windows' side: makes the calls it finds in calls.json through the built library beside it, and prints the
// answers. One start of Node and of few sandboxes for all of them, since each costs seconds there.
import { readFileSync } from "node:fs";
import { openWiki } from "./dist/index.js";

const answers = {};
for (const [name, { options, calls }] of Object.entries(JSON.parse(readFileSync("C:\\calls.json", "utf8")))) {
  const wiki = openWiki({ env: {}, ...options });
  answers[name] = [];
  for (const [operation, args] of calls) answers[name].push(await wiki.call(operation, args));
  await wiki.close();
}
console.log(JSON.stringify(answers));
