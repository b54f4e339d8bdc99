// The command line as a person and a script use it, over the demo vault, which stays as it is to the byte.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { wikiCli } from "../helpers/cli.ts";
import { gardenVault, tempFolder } from "../helpers/garden.ts";
import { picture } from "../helpers/untouched.ts";

const vault = gardenVault();
const before = picture(vault.path);
const page = "wiki/plants/tomatoes.md";
let hash = "";

async function json(...argv: string[]) {
  const { status, stdout, stderr } = await wikiCli([...argv, "--json"]);
  expect(stdout.trimEnd().split("\n"), stderr).toHaveLength(1);
  return { status, stderr, envelope: JSON.parse(stdout) };
}

beforeAll(async () => {
  hash = (await json("outline", page, "--vault", vault.path)).envelope.payload.expectedHash;
});

afterAll(() => {
  expect(picture(vault.path)).toEqual(before);
  vault[Symbol.dispose]();
});

test("search prints pages for a person, and the command that reads the best", async () => {
  const { status, stdout, stderr } = await wikiCli([
    "search",
    "tomato",
    "blight",
    "--vault",
    vault.path,
    "--limit",
    "2",
  ]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toMatch(/^1\. wiki\/plants\/tomatoes\.md {2}lines? \d/);
  expect(stdout).toContain(`Next: pi-wiki read ${page} --hash ${hash}`);
  expect(stdout).not.toContain("\u001b");
});

test("the printed next command works as it is", async () => {
  const { stdout } = await wikiCli(["search", "tomato blight", "--vault", vault.path]);
  const [, command] = /^Next: pi-wiki (.*)$/m.exec(stdout)!;
  const { status, stdout: read } = await wikiCli(command!.split(" "));
  expect(status).toBe(0);
  expect(read).toMatch(/^wiki\/plants\/tomatoes\.md {2}lines? /);
});

test("--json prints the envelope and nothing else", async () => {
  const { status, stderr, envelope } = await json("search", "compost", "--vault", vault.path);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(envelope).toMatchObject({ operation: "search", ok: true, payload: { query: "compost", vault: vault.path } });
  expect(envelope.payload.results[0].path).toBe("wiki/soil/compost-bays.md");
});

test("every option of search has its effect", async () => {
  const options =
    "--limit 3 --type diary --tag weather --tag 고추 --include-content --inline-budget 2000 --read-top 1 --section late --per-page-limit 2 --include-toc";
  const { envelope } = await json("search", "frost", "--vault", vault.path, ...options.split(" "));
  const { results, pages } = envelope.payload;
  expect(results.map(({ path }: { path: string }) => path)).toEqual(["wiki/weather-diary.md"]);
  expect(results[0].content).toContain("frost");
  expect(pages[0]).toMatchObject({ page: "wiki/weather-diary.md", lineStart: expect.any(Number), truncated: true });
  expect(pages[0].lineEnd - pages[0].lineStart).toBe(1);
  expect(pages[0].toc.length).toBeGreaterThan(3);
});

test("--hybrid without Ollama answers by words and says why", async () => {
  const { envelope, status } = await json("search", "compost", "--hybrid", "--vault", vault.path);
  expect(status).toBe(0);
  expect(envelope.payload).toMatchObject({ fallback: "bm25", semanticError: expect.any(String) });
});

test("outline pages through a page's sections", async () => {
  const first = (await json("outline", page, "--vault", vault.path, "--limit", "2")).envelope.payload;
  expect(first).toMatchObject({ title: "Tomatoes", total: 5, nextOffset: 2 });
  const next = ["--limit", "2", "--offset", "2", "--hash", first.expectedHash];
  const second = (await json("outline", page, "--vault", vault.path, ...next)).envelope.payload;
  expect(second.sections.map(({ title }: { title: string }) => title)).toEqual(["Varieties that ripen here", "Blight"]);
});

test("read goes on with the cursor until the section is whole", async () => {
  const read = ["read", page, "--vault", vault.path, "--hash", hash];
  const whole = (await json(...read, "--section", "Blight")).envelope.payload;
  let part = (await json(...read, "--section", "Blight", "--max-chars", "120")).envelope.payload;
  let text = part.text;
  while (part.truncated) {
    part = (await json(...read, "--cursor", part.cursor, "--max-chars", "120")).envelope.payload;
    text += part.text;
  }
  expect(text).toBe(whole.text);
  expect(text).toMatch(/^## Blight\n/);
});

test("the current view leaves out what is no longer in force, and says so", async () => {
  const fee = "wiki/rules/membership-fee.md";
  const { expectedHash } = (await json("outline", fee, "--vault", vault.path)).envelope.payload;
  const read = ["read", fee, "--vault", vault.path, "--hash", expectedHash, "--section", "Membership fee"];
  const { stdout } = await wikiCli([...read, "--view", "current"]);
  expect(stdout).toContain("1 passage no longer in force left out");
  expect(stdout).not.toContain("30 euros a year");
  expect(stdout).toContain("36 euros a year");
});

test("doctor reports without a vault, and with a broken configuration", async () => {
  using folder = tempFolder();
  const file = join(folder.path, "properties.json");
  writeFileSync(file, "{ not json");
  const asItWas = picture(folder.path);
  const { status, envelope } = await json("doctor", "--config", file);
  expect(status).toBe(0);
  expect(envelope.payload).toMatchObject({ vault: null, config: { path: file, exists: true, valid: false } });
  expect(picture(folder.path)).toEqual(asItWas);
});

describe("which vault", () => {
  test("--vault may be relative to the working directory", async () => {
    const { status, stdout } = await wikiCli(["search", "garlic", "--vault", "wiki/..", "--json"], { cwd: vault.path });
    expect(status).toBe(0);
    expect(JSON.parse(stdout).payload.vault).toBe(vault.path);
  });

  test("the environment selects it, and --vault wins", async () => {
    const env = { OBSIDIAN_VAULT_PATH: vault.path };
    expect((await wikiCli(["search", "garlic"], { env })).status).toBe(0);
    const other = await wikiCli(["search", "garlic", "--vault", "/nonexistent-vault"], { env });
    expect(other).toMatchObject({ status: 1, stdout: "" });
    expect(other.stderr).toMatch(/^vault-missing: /);
  });

  test("--config selects it, with the folder of its pages", async () => {
    using folder = tempFolder();
    const file = join(folder.path, "properties.json");
    writeFileSync(file, JSON.stringify({ vaultPath: vault.path, wikiPath: "wiki/water" }));
    const { envelope } = await json("search", "frost", "--config", file);
    expect(envelope.payload.results.map(({ path }: { path: string }) => path).sort()).toEqual([
      "wiki/water/pump.md",
      "wiki/water/rainwater-tanks.md",
    ]);
  });

  test("outline and read never open a configuration, even a broken or dangerous one", async () => {
    using folder = tempFolder();
    const file = join(folder.path, "properties.json");
    mkdirSync(file); // opening it as a file would fail
    const env = { OBSIDIAN_AGENT_CONFIG: file };
    expect((await wikiCli(["outline", page, "--vault", vault.path], { env })).status).toBe(0);
    const read = ["read", page, "--vault", vault.path, "--hash", hash, "--section", "Blight"];
    expect((await wikiCli(read, { env })).status).toBe(0);
  });

  test("a vault that is a link works, and none selected is a failure with advice", async () => {
    using folder = tempFolder();
    const link = join(folder.path, "link to vault");
    symlinkSync(vault.path, link);
    expect((await wikiCli(["search", "garlic", "--vault", link])).status).toBe(0);
    const { status, stderr } = await wikiCli(["search", "garlic"]);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^no-vault: .*OBSIDIAN_VAULT_PATH/);
  });
});

describe("failures go to stderr with status 1", () => {
  test("a page that has changed gives its hash of now, which then reads", async () => {
    const { status, stdout, stderr } = await wikiCli([
      "read",
      page,
      "--vault",
      vault.path,
      "--hash",
      "0".repeat(64),
      "--section",
      "Blight",
    ]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain(`hash now: ${hash}`);
  });

  test("--json keeps the failure's structure on stdout", async () => {
    const { status, stderr, envelope } = await json(
      "read",
      page,
      "--vault",
      vault.path,
      "--hash",
      hash,
      "--section",
      "x",
    );
    expect({ status, stderr }).toEqual({ status: 1, stderr: "" });
    expect(envelope).toMatchObject({ ok: false, code: "section-not-found", payload: { sections: expect.any(Array) } });
  });

  test("a reserved page is refused by name", async () => {
    const { stderr } = await wikiCli(["outline", "wiki/index.md", "--vault", vault.path]);
    expect(stderr).toMatch(/^page-refused: /);
  });
});

test("wrong usage is status 2 with nothing on stdout, help is status 0", async () => {
  expect(await wikiCli(["search", "q", "--limit", "0", "--json"])).toMatchObject({ status: 2, stdout: "" });
  const help = await wikiCli(["read", "--help"]);
  expect(help.status).toBe(0);
  expect(help.stdout).toContain("Examples:");
});
