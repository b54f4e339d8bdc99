// Whatever text a request is, the answer is one envelope that says something, and the next request is answered as before.
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { ERROR_CODES } from "../../src/shared/errors.ts";
import { LIMITS } from "../../src/shared/limits.ts";
import { times } from "../helpers/chance.ts";
import { tempFolder } from "../helpers/garden.ts";
import { NATIVE_PYTHON, NativePython } from "../helpers/native.ts";
import { type KnownPage, requestTexts } from "../helpers/requests.ts";
import { ask, atRest, laneOver, requestText, textOf } from "../helpers/runtime.ts";
import { picture } from "../helpers/untouched.ts";

const vault = tempFolder("bridge-");
const PAGES = {
  "wiki/a.md": "---\ntitle: Coffee\ntags: [a]\n---\n# Coffee\n\nBeans.\n\n## Roasting\n\nLight 🌱 or dark.\r\n",
  "wiki/topic/b-2026-05-17.md": "# B\n\n## A\n\n### B\n\n> [!outdated]\n> coffee é\n\n## A\n",
  "wiki/empty.md": "",
};
const known: KnownPage[] = Object.entries(PAGES).map(([page, text]) => {
  mkdirSync(join(vault.path, page, ".."), { recursive: true });
  writeFileSync(join(vault.path, page), text);
  return { page, expectedHash: createHash("sha256").update(text).digest("hex") };
});
const before = picture(vault.path);
afterAll(() => {
  expect(picture(vault.path)).toEqual(before);
  vault[Symbol.dispose]();
});

const SOUND = requestText("search", { query: "coffee" });
const codes = new Map<string, number>();

/** What a caller can do something with: no part of an envelope is missing, none is of another kind. */
function expectEnvelope(text: string): void {
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LIMITS.responseMaxBytes);
  const { operation, ok, payload, code, message, ...more } = JSON.parse(text);
  expect(more).toEqual({});
  expect(["search", "outline", "read", "doctor", "index", "unknown"]).toContain(operation);
  if (payload !== undefined || ok) expect(payload).toBeTypeOf("object");
  codes.set(ok ? operation : code, (codes.get(ok ? operation : code) ?? 0) + 1);
  if (ok) {
    expect([ok, payload !== null, code, message]).toEqual([true, true, undefined, undefined]);
    return;
  }
  expect(ok).toBe(false);
  expect(ERROR_CODES).toContain(code);
  expect(code, message).not.toBe("sandbox-failed"); // nothing that is asked is unexpected
  expect([...message].length).toBeLessThanOrEqual(LIMITS.messageMaxChars);
  expect(message).toMatch(/\S.*[.?!]$/s);
}

test.skipIf(!NATIVE_PYTHON)("natively", async () => {
  const python = new NativePython();
  const texts = requestTexts(known, ["wiki", ".", "none"]);
  await fc.assert(
    fc.asyncProperty(texts, async (text) => expectEnvelope(await python.ask(vault.path, text))),
    times(15_000),
  );
  python.close();
  // Had chance made nothing but faults, or nothing but sound requests, this would have shown little.
  for (const seen of ["search", "outline", "read", "doctor", "index", "invalid-input", "section-not-found"]) {
    expect(codes.get(seen) ?? 0, seen).toBeGreaterThan(100);
  }
});

test("in the sandbox, where nothing is left behind", async () => {
  let sandboxes = 0;
  const lane = laneOver(vault.path, { onStart: () => sandboxes++ });
  const sound = textOf(await ask(lane, SOUND));
  const texts = requestTexts(known, ["wiki", ".", "none", "..", "/", "wiki/..", "\0", "wiki/a.md"]);
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      const reply = await ask(lane, text);
      expect(reply).toMatchObject({ kind: "answered", overflow: false });
      expectEnvelope(textOf(reply));
      await atRest(lane);
      expect(sandboxes).toBe(1);
    }),
    times(2_000),
  );
  expect(textOf(await ask(lane, SOUND))).toBe(sound);
  await lane.close();
});
