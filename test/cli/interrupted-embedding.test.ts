// Embedding a wiki takes as long as it takes: trouble and Ctrl-C on the way lose what was under way and nothing else.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { finished, startCli, wikiCli } from "../helpers/cli.ts";
import { letterVector, startFakeOllama } from "../helpers/fake-ollama.ts";
import { tempFolder } from "../helpers/garden.ts";

const PAGES = 40;

/** What lies in a folder, by name: nothing that was only begun may be among it. */
function files(folder: string): Record<string, string> {
  const names = readdirSync(folder).sort();
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "base64")]));
}

test("an index that is stopped while pages are embedded keeps what was done, whole, and goes on from there", async () => {
  using vault = tempFolder();
  mkdirSync(join(vault.path, "wiki"));
  for (let page = 0; page < PAGES; page++)
    writeFileSync(join(vault.path, `wiki/page-${page}.md`), `# Page ${page}\n\nWhat it says.\n`);
  let breaksOff = true;
  await using ollama = await startFakeOllama({
    vectorOf(text) {
      if (breaksOff && ollama.embedded.length >= 16) ollama.misbehave("redirect", "/api/embed"); // from the next request on
      return letterVector(text);
    },
  });
  const argv = ["index", "--semantic", "--json", "--vault", vault.path];
  const env = { PI_WIKI_OLLAMA_URL: ollama.url };
  const index = async () => JSON.parse((await wikiCli(argv, { env })).stdout).payload.semantic;

  const begun = await index();
  expect(begun).toMatchObject({ embedded: ollama.embedded.length, error: expect.stringMatching(/redirect/) });
  expect(begun.pages).toBeGreaterThan(0);
  expect(begun.pending).toBe(PAGES - begun.pages);
  const after = files(join(vault.path, ".vault-meta/retrieval"));
  expect(Object.keys(after)).toEqual(["index.bin", "vectors.bin"]);

  breaksOff = false;
  ollama.misbehave("hang", "/api/embed");
  const seen = ollama.requests.length;
  const child = startCli(argv, { env });
  const run = finished(child);
  while (ollama.requests.slice(seen).at(-1)?.path !== "/api/embed") await new Promise((later) => setTimeout(later, 10));
  const sent = performance.now();
  child.kill("SIGINT");
  const { status, stdout } = await run;
  expect(performance.now() - sent).toBeLessThan(1_000);
  expect(status).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ ok: false, code: "cancelled" });
  expect(files(join(vault.path, ".vault-meta/retrieval"))).toEqual(after);

  ollama.misbehave(null);
  const rest = ollama.embedded.length;
  const whole = await index();
  expect(whole).toMatchObject({ pages: PAGES, kept: begun.pages, embedded: begun.pending, pending: 0, error: null });
  expect(ollama.embedded.length - rest).toBe(begun.pending);
});
