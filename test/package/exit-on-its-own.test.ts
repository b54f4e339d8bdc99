// A process that used the package ends by itself: with its wiki closed, and with sandboxes still idle.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const library = new URL("../../dist/index.js", import.meta.url).href;
const vault = fileURLToPath(new URL("../../fixtures/vaults/garden", import.meta.url));

const program = (end: string) => `
import { openWiki } from ${JSON.stringify(library)};
const wiki = openWiki({ vault: ${JSON.stringify(vault)}, env: {} });
const found = await wiki.call("search", { query: "coffee" });
const page = await wiki.call("outline", { page: found.payload.results[0].path });
console.log(found.ok && page.ok);
${end}
`;

test.each([
  ["after its wiki was closed", "await wiki.close();"],
  ["with a sandbox still idle", ""],
  ["while a sandbox is being warmed", 'openWiki({ vault: "/", env: {}, wikiPath: "tmp", warm: true });'],
])("the process ends by itself %s", async (_when, end) => {
  const run = promisify(execFile)(process.execPath, ["--input-type=module", "-e", program(end)], { timeout: 100_000 });
  const { stdout } = await run; // rejects when the time is over and the process had to be killed
  expect(stdout.trim()).toBe("true");
});
