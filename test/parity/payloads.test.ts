// The native Python and the sandbox give the same bytes: every page of every real vault, and 300 queries over them.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Lane } from "../../src/host/lane.ts";
import type { Payload } from "../../src/shared/envelope.ts";
import { NATIVE_PYTHON, NativePython } from "../helpers/native.ts";
import { pick, seeded } from "../helpers/random.ts";
import { ask, laneOver, requestText, textOf } from "../helpers/runtime.ts";
import { realVault } from "../helpers/vaults.ts";

const VAULTS = ["kepano", "help14", "wiki-ko", "garden-zh"];
const QUERIES_A_VAULT = 75;

const native = NATIVE_PYTHON ? new NativePython() : null;
const lanes: Lane[] = [];
afterAll(async () => {
  native?.close();
  await Promise.all(lanes.map((lane) => lane.close()));
});
if (!native) console.log("parity is not tested: no Python 3.11 with PyYAML on this machine");

describe.skipIf(!native)("native Python and the sandbox", () => {
  for (const name of VAULTS) {
    const root = realVault(name);
    describe.skipIf(!root)(name, () => {
      const pages = root ? pagesOf(root) : [];
      const lane = laneOver(root);
      lanes.push(lane);
      const both = async (operation: "outline" | "read" | "search", args: Payload): Promise<string> => {
        const text = requestText(operation, args);
        const [here, there] = await Promise.all([
          native!.ask(root!, text),
          ask(lane, text, { needsListing: operation === "search" }).then(textOf),
        ]);
        expect(there, text).toBe(here);
        return there;
      };

      test("outline and read every page alike", { timeout: 600_000 }, async () => {
        expect(pages.length).toBeGreaterThan(50);
        for (const [at, page] of pages.entries()) {
          const outline = JSON.parse(await both("outline", { page, limit: 100 }));
          if (!outline.ok) continue;
          const { expectedHash, characters, sections } = outline.payload;
          const section = sections[sections.length >> 1]?.section;
          const span = { start: 0, end: Math.min(characters, 3_000), view: "current" };
          await both("read", { page, expectedHash, ...(section && at % 2 === 0 ? { section, maxChars: 500 } : span) });
        }
      });

      test("answer queries alike", { timeout: 600_000 }, async () => {
        const random = seeded(pages.length);
        const words = wordsOf(root!, pages, random);
        for (let round = 0; round < QUERIES_A_VAULT; round++) {
          const answer = JSON.parse(
            await both("search", { query: queryFrom(words, random), limit: limitFrom(random) }),
          );
          expect(answer.ok).toBe(true);
        }
      });
    });
  }
});

function pagesOf(root: string): string[] {
  return readdirSync(join(root, "wiki"), { recursive: true, encoding: "utf8" })
    .map((name) => `wiki/${name.replaceAll("\\", "/")}`)
    .filter((name) => name.toLowerCase().endsWith(".md"))
    .sort();
}

function wordsOf(root: string, pages: string[], random: () => number): string[] {
  const words: string[] = [];
  for (let round = 0; round < 60; round++) {
    const text = readFileSync(join(root, pick(random, pages)), "utf8");
    words.push(...(text.match(/[\p{L}\p{N}]{1,24}/gu) ?? []).slice(0, 200));
  }
  return words;
}

function queryFrom(words: string[], random: () => number): string {
  const kind = random();
  const some = (count: number) => Array.from({ length: count }, () => pick(random, words)).join(" ");
  if (kind < 0.6) return some(1 + Math.floor(random() * 4));
  if (kind < 0.7) return `${some(1)} 2024-0${1 + Math.floor(random() * 9)}`;
  if (kind < 0.8) return "the and of to a in is it";
  if (kind < 0.9) return `${some(1)}zqx ${some(1)}`; // a word that no page has
  return pick(random, [
    "naïve – 日本",
    "🌱",
    "C++",
    "--dry-run",
    "don't",
    "한국어 위키",
    "倒排索引",
    "ﬁle ＡＢＣ",
    "Đặng",
    '"open',
    "2024-05-17",
  ]);
}

function limitFrom(random: () => number): number {
  return pick(random, [1, 2, 5, 10, 10, 10, 37, 100]);
}
