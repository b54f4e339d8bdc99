// Hybrid search through the built package: a real embedding model behind the stand-in for Ollama, the demo vault, and every
// way in which a local model fails.
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Envelope, Wiki } from "../../src/index.ts";
import { type FakeOllama, startFakeOllama } from "../helpers/fake-ollama.ts";
import { gardenVault, projectRoot, type TempFolder } from "../helpers/garden.ts";
import type { Misbehaviour, VectorTrick } from "../helpers/misbehaviours.ts";

const { openWiki } = (await import(join(projectRoot, "dist/index.js"))) as typeof import("../../src/index.ts");

// None of these words, nor any form of them, stands in the page about the drip irrigation controller.
const QUERY = "automatic sprinkler with a computer";
const PAGE = "wiki/projects/irrigation-controller.md";

let vault: TempFolder;
let ollama: FakeOllama;
let wiki: Wiki;
let env: Record<string, string>;

beforeAll(async () => {
  vault = gardenVault();
  ollama = await startFakeOllama();
  env = { PI_WIKI_OLLAMA_URL: ollama.url };
  await index();
  wiki = openWiki({ vault: vault.path, env });
});
beforeEach(() => ollama.misbehave(null));
afterAll(async () => {
  await wiki.close();
  await ollama.close();
  vault[Symbol.dispose]();
});

/** Runs the command line, while the stand-in goes on in this process. */
async function index(...more: string[]): Promise<Record<string, unknown>> {
  const given = [join(projectRoot, "dist/cli.js"), "index", "--semantic", "--json", "--vault", vault.path, ...more];
  const run = promisify(execFile)(process.execPath, given, { env: { ...process.env, ...env } });
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  const answer = JSON.parse(stdout) as Envelope;
  if (!answer.ok) throw new Error(answer.message);
  return answer.payload;
}

interface Answer {
  results: { path: string; match: string; read: Record<string, unknown>; [more: string]: unknown }[];
  fallback: string;
  semanticError?: string;
}

async function search(query: string, hybrid: boolean, of: Wiki = wiki): Promise<Answer> {
  const answer: Envelope = await of.call("search", { query, hybrid });
  if (!answer.ok) throw new Error(answer.message);
  return answer.payload as unknown as Answer;
}

describe("hybrid search", () => {
  it("finds a page by what it means that words alone do not find", async () => {
    const byWords = await search(QUERY, false);
    expect(byWords.results.map(({ path }) => path)).not.toContain(PAGE);
    const { results, fallback, semanticError } = await search(QUERY, true);
    expect([fallback, semanticError]).toEqual(["hybrid", undefined]);
    const found = results.find(({ path }) => path === PAGE);
    expect(found).toMatchObject({
      match: "semantic",
      semanticScore: expect.any(Number),
      charStart: expect.any(Number),
      charEnd: expect.any(Number),
      lineStart: expect.any(Number),
      excerpt: expect.stringMatching(/\S/),
    });
  });

  it("gives references that read as they are", async () => {
    const { results } = await search(QUERY, true);
    for (const { read } of results) expect(await wiki.call("read", read)).toMatchObject({ ok: true });
  });

  it("asks for the model's digest and one embedding, and for nothing else", async () => {
    const before = ollama.requests.length;
    await search("relish made from unripe produce", true);
    expect(ollama.requests.slice(before).map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /api/tags",
      "POST /api/embed",
    ]);
    expect(ollama.embedded.at(-1)).toBe("relish made from unripe produce");
  });

  it("makes no connection where it is not asked for, nor do outline, read and doctor", async () => {
    const before = ollama.connections();
    await search(QUERY, false);
    await wiki.call("outline", { page: PAGE });
    const report = await wiki.call("doctor", {});
    expect(report.payload?.semantic).toMatchObject({ ready: true, stale: 0, missing: 0 });
    expect(ollama.connections()).toBe(before);
  });

  it("ranks a query with a date by words alone, and contacts nothing", async () => {
    const before = ollama.connections();
    expect((await search("committee 2026-05-14", true)).fallback).toBe("bm25");
    expect(ollama.connections()).toBe(before);
  });

  it("is not turned elsewhere by anything a vault holds", async () => {
    let touched = 0;
    const trap = createServer((socket) => {
      touched += 1;
      socket.destroy();
    });
    await new Promise<void>((ready) => trap.listen(0, "127.0.0.1", ready));
    const { port } = trap.address() as { port: number };
    const settings = JSON.stringify({
      PI_WIKI_OLLAMA_URL: `http://127.0.0.1:${port}`,
      ollama: `http://127.0.0.1:${port}`,
    });
    for (const name of [".vault-meta/ollama.json", ".vault-meta/properties.json", ".env", "wiki/ollama.json"]) {
      mkdirSync(join(vault.path, name, ".."), { recursive: true });
      writeFileSync(join(vault.path, name), settings);
    }
    expect((await search(QUERY, true)).fallback).toBe("hybrid");
    trap.close();
    expect(touched).toBe(0);
  });
});

const FAILURES: [how: Misbehaviour | VectorTrick, says: RegExp][] = [
  [{ status: 404, text: "404 page not found" }, /too old/],
  [{ status: 400, error: "no" }, /status 400/],
  [{ status: 500, error: "no" }, /status 500/],
  ["html", /not Ollama/],
  ["close at once", /closed the connection/],
  ["200 MB", /more than embeddings/],
  ["redirect", /never followed/],
  ["no vectors", /0 came for 1/],
  ["another dimension", /vectors of 512 numbers, and the model gives 511 now/],
  ["empty vectors", /is empty/],
  ["null numbers", /something else than numbers/],
  ["NaN", /cannot be read/],
  ["zeros", /all zeros/],
];

describe("a model that fails", () => {
  it.each(FAILURES)(
    "by doing this: %j, leaves the results of words and says what to do; the next search works",
    async (how, says) => {
      const byWords = await search(QUERY, false);
      ollama.misbehave(how, "/api/embed");
      const { results, fallback, semanticError } = await search(QUERY, true);
      expect(results).toEqual(byWords.results);
      expect(fallback).toBe("bm25");
      expect(semanticError).toMatch(says);
      ollama.misbehave(null);
      expect((await search(QUERY, true)).fallback).toBe("hybrid");
    },
  );

  it("by sending one byte at a time, is left in time for the words", async () => {
    const hasty = openWiki({ vault: vault.path, env, timeoutMs: 6_000 });
    try {
      await search(QUERY, true, hasty); // a started sandbox, so that the time is the model's
      ollama.misbehave("one byte at a time", "/api/embed");
      const began = performance.now();
      const { results, semanticError } = await search("compost in winter", true, hasty);
      expect(performance.now() - began).toBeLessThan(6_000);
      expect(results.length).toBeGreaterThan(0);
      expect(semanticError).toMatch(/did not answer within [\d.]+ s/);
    } finally {
      await hasty.close();
    }
  });

  it("by not being there, or not knowing the model, is named with the command that helps", async () => {
    const gone = openWiki({ vault: vault.path, env: { PI_WIKI_OLLAMA_URL: "http://127.0.0.1:1" } });
    const other = openWiki({ vault: vault.path, env: { ...env, PI_WIKI_OLLAMA_MODEL: "bge-m3" } });
    try {
      expect((await search(QUERY, true, gone)).semanticError).toMatch(/ollama serve/);
      expect((await search(QUERY, true, other)).semanticError).toMatch(/ollama pull bge-m3/);
    } finally {
      await Promise.all([gone.close(), other.close()]);
    }
  });
});

describe("an end in the middle", () => {
  it.each(["close", "abort"] as const)("by %s settles the call and leaves no socket open", async (how) => {
    const ended = openWiki({ vault: vault.path, env });
    await search(QUERY, false, ended);
    ollama.misbehave("hang", "/api/embed");
    const seen = ollama.requests.length;
    const calling = new AbortController();
    const call = ended.call("search", { query: QUERY, hybrid: true }, { signal: calling.signal });
    while (ollama.requests.slice(seen).at(-1)?.path !== "/api/embed")
      await new Promise((later) => setTimeout(later, 10));
    if (how === "close") void ended.close();
    else calling.abort();
    expect(await call).toMatchObject({ ok: false, code: "cancelled" });
    while (ollama.open() > 0) await new Promise((later) => setTimeout(later, 10));
    await ended.close();
  });
});

describe("the semantic index", () => {
  it("is brought up to date by embedding what changed, and tells what is missing until then", async () => {
    writeFileSync(join(vault.path, "wiki/new.md"), "# New\n\nA greenhouse of old windows.\n");
    expect((await search(QUERY, true)).semanticError).toMatch(/1 of \d+ pages are ranked by words only/);
    const before = ollama.embedded.length;
    expect(await index()).toMatchObject({ semantic: { embedded: 1, pending: 0, error: null } });
    expect(ollama.embedded.length).toBe(before + 1);
    expect((await search(QUERY, true)).semanticError).toBeUndefined();
  });

  it("is waited for longer than a search waits: a model that is still loading stops no index", async () => {
    writeFileSync(join(vault.path, "wiki/late.md"), "# Late\n\nA model that takes its time.\n");
    const seen = ollama.requests.length;
    const release = ollama.hold();
    const building = index();
    while (ollama.requests.slice(seen).at(-1)?.path !== "/api/embed")
      await new Promise((later) => setTimeout(later, 10));
    try {
      // By the time that a search has given up, the index has waited longer than a search may.
      const { results, semanticError } = await search("compost in winter", true);
      expect(semanticError).toMatch(/did not answer within 8 s/);
      expect(results.length).toBeGreaterThan(0);
    } finally {
      release();
    }
    expect(await building).toMatchObject({ semantic: { embedded: 1, pending: 0, error: null } });
  });

  it("is written as version 1 beside it with --compat, and read from there alone", async () => {
    const { published } = await index("--compat");
    expect(published).toEqual(
      expect.arrayContaining([".vault-meta/retrieval/chunks.json", ".vault-meta/retrieval/vectors.bin"]),
    );
    const both = await search(QUERY, true);
    writeFileSync(join(vault.path, ".vault-meta/retrieval/vectors.bin"), "damaged");
    const alone = await search(QUERY, true);
    expect(alone.results).toEqual(both.results);
  });
});
