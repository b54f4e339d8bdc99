// The limits that people and agents meet, each one below, at and one above, in the real sandbox: characters are
// Unicode's, none is cut, and what is beyond a limit is refused or continued, never clipped.
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { compile } from "@earendil-works/pi-schema";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Operation, Payload, Wiki } from "../../src/index.ts";
import { LIMITS } from "../../src/shared/limits.ts";
import { TOOLS } from "../../src/tools/catalog.ts";
import { present } from "../../src/tools/present.ts";
import { projectRoot, tempFolder } from "../helpers/garden.ts";

const vault = tempFolder("caps-");
let wiki: Wiki;
const hashes = new Map<string, string>();

function page(name: string, text: string): void {
  const file = join(vault.path, name);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, text);
  hashes.set(name, createHash("sha256").update(text).digest("hex"));
}

const LETTERS = { "one byte": "x", "two bytes": "é", "three bytes": "日", "four bytes": "🌱" };
const AROUND = [-1, 0, 1];
const tool = (operation: Operation) => TOOLS.find((one) => one.operation === operation)!;

beforeAll(async () => {
  for (const [what, letter] of Object.entries(LETTERS)) {
    for (const by of AROUND) page(`wiki/read/${what} ${by}.md`, letter.repeat(LIMITS.readMaxChars + by));
    // A line end across the limit, and a letter beside it that joins with what is before.
    page(`wiki/read/${what} ends.md`, `${letter.repeat(LIMITS.readMaxChars - 1)}\r\n${letter}`);
  }
  page("wiki/read/controls.md", "\u0001".repeat(LIMITS.readMaxChars));
  for (const by of AROUND) {
    const number = LIMITS.outlineMax + by;
    page(`wiki/outline ${by}.md`, Array.from({ length: number }, (_, i) => `# ${i} 🌱\n`).join(""));
    for (let i = 0; i < number; i++) page(`wiki/found/${by}/${i}.md`, `# Page ${i}\n\nneedle${by + 5}\n`);
  }
  const { openWiki } = await import(pathToFileURL(join(projectRoot, "dist/index.js")).href);
  wiki = openWiki({ vault: vault.path, env: {} });
});
afterAll(async () => {
  await wiki.close();
  vault[Symbol.dispose]();
});

// biome-ignore lint/suspicious/noExplicitAny: payloads have many shapes, and a test asserts the ones it means
async function answered(operation: Operation, args: Payload): Promise<any> {
  const answer = await wiki.call(operation, args);
  expect(answer, JSON.stringify(answer).slice(0, 500)).toMatchObject({ ok: true });
  return answer.payload;
}

describe("a query of 4,000 characters", () => {
  test.each(Object.entries(LETTERS))(
    "of %s is taken by Pi's schema and by the sandbox, one more by neither",
    async (_, letter) => {
      const schema = compile(tool("search").parameters);
      for (const by of AROUND) {
        const query = `${letter.repeat(LIMITS.queryMaxChars + by - 1)}?`;
        expect(schema.check({ query }), `${by}`).toBe(by < 1);
        const answer = await wiki.call("search", { query });
        if (by < 1) expect(answer).toMatchObject({ ok: true, payload: { query } });
        else expect(answer).toMatchObject({ ok: false, code: "invalid-input" });
      }
    },
  );
});

describe("a read of 12,000 characters", () => {
  const read = (name: string, more: Payload = {}) => {
    const place = { page: name, expectedHash: hashes.get(name)! };
    return answered("read", "cursor" in more ? { ...place, ...more } : { ...place, start: 0, end: 12_003, ...more });
  };

  test.each(Object.keys(LETTERS) as (keyof typeof LETTERS)[])(
    "of %s comes at once, and a longer text goes on",
    async (what) => {
      for (const by of AROUND) {
        const length = LIMITS.readMaxChars + by;
        const name = `wiki/read/${what} ${by}.md`;
        const first = await read(name, { end: length });
        expect([...first.text]).toHaveLength(Math.min(length, LIMITS.readMaxChars));
        expect(first).toMatchObject({ truncated: by > 0, cursor: by > 0 ? expect.any(String) : null });
        const rest = by > 0 ? await read(name, { cursor: first.cursor }) : { text: "", truncated: false };
        expect(first.text + rest.text).toBe(LETTERS[what].repeat(length));
        expect(rest.truncated).toBe(false);
      }
    },
  );

  test.each(Object.keys(LETTERS) as (keyof typeof LETTERS)[])("of %s does not part a line end", async (what) => {
    const name = `wiki/read/${what} ends.md`;
    const first = await read(name, { end: LIMITS.readMaxChars + 2 });
    expect(first.text).toBe(LETTERS[what].repeat(LIMITS.readMaxChars - 1));
    expect((await read(name, { cursor: first.cursor })).text).toBe(`\r\n${LETTERS[what]}`);
  });

  test("may be asked for, one more may not", async () => {
    const name = "wiki/read/four bytes 1.md";
    for (const by of AROUND) {
      const args = { page: name, expectedHash: hashes.get(name)!, start: 0, end: 12_001, maxChars: 12_000 + by };
      const answer = await wiki.call("read", args);
      if (by < 1) expect([...(answer.payload as { text: string }).text]).toHaveLength(12_000 + by);
      else expect(answer).toMatchObject({ ok: false, code: "invalid-input" });
    }
  });

  test("whose JSON is more than a model is shown names a smaller one, and the smaller ones give the text", async () => {
    const name = "wiki/read/controls.md";
    const place = { page: name, expectedHash: hashes.get(name)! };
    let args: Payload = { ...place, start: 0, end: LIMITS.readMaxChars };
    const whole = present(tool("read"), args, await wiki.call("read", args));
    expect(whole.envelope).toMatchObject({ ok: false, code: "output-limit", payload: { bytes: expect.any(Number) } });
    const { smaller } = whole.envelope.payload as { smaller: Payload };
    let text = "";
    for (let calls = 0; ; calls++) {
      expect(calls).toBeLessThan(4);
      const { envelope, json } = present(tool("read"), args, await wiki.call("read", { ...args, ...smaller }));
      expect(envelope).toMatchObject({ ok: true });
      expect(Buffer.byteLength(json)).toBeLessThanOrEqual(LIMITS.modelJsonMaxBytes);
      text += envelope.payload!.text;
      if (!envelope.payload!.truncated) break;
      args = { ...place, cursor: envelope.payload!.cursor };
    }
    expect(text).toBe("\u0001".repeat(LIMITS.readMaxChars));
  });
});

test("an outline of 100 sections comes at once, and a longer one goes on", async () => {
  for (const by of AROUND) {
    const name = `wiki/outline ${by}.md`;
    const first = await answered("outline", { page: name, limit: LIMITS.outlineMax });
    expect(first.total).toBe(LIMITS.outlineMax + by);
    expect(first.sections).toHaveLength(Math.min(first.total, LIMITS.outlineMax));
    expect(first.nextOffset).toBe(by > 0 ? LIMITS.outlineMax : null);
    if (by < 1) continue;
    const rest = await answered("outline", { page: name, offset: first.nextOffset, expectedHash: first.expectedHash });
    expect(rest).toMatchObject({ sections: [{ title: "100 🌱" }], nextOffset: null });
  }
  const refused = await wiki.call("outline", { page: "wiki/outline 0.md", limit: LIMITS.outlineMax + 1 });
  expect(refused).toMatchObject({ ok: false, code: "invalid-input" });
});

test("a search gives 100 results of as many or more, each once", async () => {
  for (const by of AROUND) {
    const { results } = await answered("search", { query: `needle${by + 5}`, limit: LIMITS.resultsMax });
    expect(results).toHaveLength(Math.min(LIMITS.resultsMax + by, LIMITS.resultsMax));
    expect(new Set(results.map(({ path }: { path: string }) => path)).size).toBe(results.length);
  }
  const refused = await wiki.call("search", { query: "needle5", limit: LIMITS.resultsMax + 1 });
  expect(refused).toMatchObject({ ok: false, code: "invalid-input" });
});

test("a page of 16 MiB is read to its last character, one byte more is too large", async () => {
  using large = tempFolder("large-page-");
  mkdirSync(join(large.path, "wiki"));
  for (const by of AROUND) {
    const text = Buffer.from(
      `${"x".repeat((LIMITS.pageMaxBytes + by) % 4)}${"🌱".repeat(Math.floor((LIMITS.pageMaxBytes + by) / 4))}`,
    );
    expect(text.length).toBe(LIMITS.pageMaxBytes + by);
    writeFileSync(join(large.path, "wiki/page.md"), text);
    const characters = [...`${text}`].length;
    const args = { vault: large.path, page: "wiki/page.md", start: characters - 2, end: characters };
    const answer = await wiki.call("read", { ...args, expectedHash: createHash("sha256").update(text).digest("hex") });
    if (by < 1) expect(answer).toMatchObject({ ok: true, payload: { text: "🌱🌱", truncated: false } });
    else expect(answer).toMatchObject({ ok: false, code: "page-refused", payload: { refusal: "too-large" } });
  }
});
