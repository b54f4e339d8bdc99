// The main job, printed for a person: search, outline, read and doctor over the vault in fixtures/vaults/garden, through
// the built library. Run it with `npm run demo`.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));

if (!existsSync(path("dist/index.js"))) {
  console.error("There is no build yet. Run: npm install");
  process.exit(1);
}
const { openWiki, TOOLS } = await import("../dist/index.js");
const vault = path("fixtures/vaults/garden");
const wiki = openWiki({ vault, env: {} });

const search = await show("Which pages know about a late frost in May 2026?", "search", {
  query: "late frost 2026-05",
  limit: 3,
});
const { page } = search.results[0].read;
const outline = await show(`What is in ${page}?`, "outline", { page });
const { section } = outline.sections.find(({ title }) => title.includes("Late frost"));
await show("What happened that night?", "read", { page, expectedHash: outline.expectedHash, section });
await show("The fee, without what is no longer in force", "read", {
  ...(await reference("membership fee")),
  view: "current",
});
await show("In another language", "search", { query: "番茄 防病", limit: 1 });
await show("Is everything well?", "doctor", {});
await wiki.close();

/** One call, as it is asked and as it is answered. */
async function show(question, operation, args) {
  const started = performance.now();
  const payload = await answered(operation, args);
  const ms = Math.round(performance.now() - started);
  const tool = TOOLS.find((one) => one.operation === operation);
  console.log(`\n━━ ${question}`);
  console.log(`   ${tool.name} ${JSON.stringify(args)}   ${ms} ms\n`);
  console.log(tool.words(payload).replace(/^(?=.)/gm, "   "));
  return payload;
}

async function answered(operation, args) {
  const answer = await wiki.call(operation, args);
  if (answer.ok) return answer.payload;
  console.error(`${answer.code}: ${answer.message}`);
  await wiki.close();
  process.exit(1);
}

async function reference(query) {
  const { results } = await answered("search", { query, limit: 1 });
  return results[0].read;
}
