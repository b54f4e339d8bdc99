// Doctor contacts nothing; with --probe, because a user asks for it, it looks at Ollama and says what is wrong there.
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Wiki } from "../../src/index.ts";
import { wikiCli } from "../helpers/cli.ts";
import { type FakeOllama, letterVector, startFakeOllama } from "../helpers/fake-ollama.ts";
import { gardenVault, projectRoot } from "../helpers/garden.ts";
import { picture } from "../helpers/untouched.ts";

const { openWiki } = (await import(join(projectRoot, "dist/index.js"))) as typeof import("../../src/index.ts");

const vault = gardenVault();
let ollama: FakeOllama;
let env: Record<string, string>;
let wiki: Wiki;

beforeAll(async () => {
  ollama = await startFakeOllama({ vectorOf: letterVector });
  env = { PI_WIKI_OLLAMA_URL: ollama.url };
  const { status, stderr } = await wikiCli(["index", "--semantic", "--vault", vault.path], { env });
  expect(status, stderr).toBe(0);
  wiki = openWiki({ vault: vault.path, env });
});
beforeEach(() => ollama.misbehave(null));
afterAll(async () => {
  await wiki.close();
  await ollama.close();
  vault[Symbol.dispose]();
});

interface Report extends Record<string, unknown> {
  probe: Record<string, unknown>;
}

/** What the command line calls for `--probe`, in this process. */
async function probed(of: Wiki = wiki): Promise<Report> {
  const answer = await of.call("doctor", {}, { probe: true });
  expect(answer).toMatchObject({ ok: true });
  return answer.payload as Report;
}

/** The same in other surroundings. */
async function probedWith(change: Record<string, string>): Promise<Report> {
  const other = openWiki({ vault: vault.path, env: { ...env, ...change } });
  try {
    return await probed(other);
  } finally {
    await other.close();
  }
}

test("without --probe nothing is contacted, and the report says so by having no such part", async () => {
  const before = ollama.connections();
  const { status, stdout } = await wikiCli(["doctor", "--vault", vault.path, "--json"], { env });
  expect(status).toBe(0);
  expect(JSON.parse(stdout).payload).not.toHaveProperty("probe");
  expect(ollama.connections()).toBe(before);
});

test("with --probe it asks for version, models and one text of its own, and compares with the index", async () => {
  const unchanged = picture(vault.path);
  const [requests, embedded] = [ollama.requests.length, ollama.embedded.length];
  const { probe } = await probed();
  expect(probe).toEqual({
    answers: true,
    version: "0.12.6",
    model: "qwen3-embedding:4b",
    digest: expect.stringMatching(/^5f1c/),
    dimension: 5,
    milliseconds: expect.any(Number),
    error: null,
    fitsIndex: true,
    reason: null,
  });
  const asked = ollama.requests.slice(requests).map(({ method, path }) => `${method} ${path}`);
  expect(asked).toEqual(["GET /api/version", "GET /api/tags", "POST /api/embed"]);
  expect(ollama.embedded.slice(embedded)).toEqual(["A page of a wiki."]); // nothing of the vault
  expect(picture(vault.path)).toEqual(unchanged);
});

test("another version of the model than the index's is named, with the command that helps", async () => {
  await using pulled = await startFakeOllama({ vectorOf: letterVector, digest: "0".repeat(64) });
  const { probe } = await probedWith({ PI_WIKI_OLLAMA_URL: pulled.url });
  expect(probe).toMatchObject({
    answers: true,
    fitsIndex: false,
    reason: expect.stringMatching(/another version of the model .*pi-wiki index --semantic$/),
  });
});

test("for a person it is a part of the report, also from a Node that may read nothing else", async () => {
  for (const isolated of [[], ["--isolated"]]) {
    const { status, stdout } = await wikiCli(["doctor", "--probe", ...isolated, "--vault", vault.path], { env });
    expect(status).toBe(0);
    expect(stdout).toMatch(/^probe:\n {2}answers +yes\n {2}version +0\.12\.6\n/m);
    expect(stdout).toMatch(/^ {2}fitsIndex +yes$/m);
  }
});

test("a model that is missing, and a server that is: cause and remedy, and the rest of the report stands", async () => {
  const missing = await probedWith({ PI_WIKI_OLLAMA_MODEL: "bge-m3" });
  expect(missing).toMatchObject({
    vaultExists: true,
    probe: { answers: true, version: "0.12.6", digest: null, fitsIndex: null },
  });
  expect(missing.probe).toMatchObject({ error: { message: expect.stringMatching(/ollama pull bge-m3$/) } });
  const gone = await probedWith({ PI_WIKI_OLLAMA_URL: "http://127.0.0.1:1" });
  expect(gone).toMatchObject({
    vaultExists: true,
    semantic: { ready: true },
    probe: { answers: false, version: null, error: { kind: "not-running" } },
  });
  expect(gone.probe).toMatchObject({ error: { message: expect.stringMatching(/Start it with: ollama serve/) } });
});

test("an agent cannot ask for it", async () => {
  const before = ollama.connections();
  expect(await wiki.call("doctor", { probe: true })).toMatchObject({ ok: false, code: "invalid-input" });
  expect(ollama.connections()).toBe(before);
});

test("a server that says nothing leaves time for the report", async () => {
  const hasty = openWiki({ vault: vault.path, env, timeoutMs: 4_000 });
  try {
    await probed(hasty); // a started sandbox, so that the time is the server's
    ollama.misbehave("hang");
    const { probe, retrieval } = await probed(hasty);
    expect(probe).toMatchObject({ answers: false, error: { kind: "deadline" } });
    expect(retrieval).toMatchObject({ ready: true });
    ollama.misbehave(null);
    expect((await probed(hasty)).probe).toMatchObject({ answers: true, error: null });
  } finally {
    await hasty.close();
  }
});
