// However an index file is damaged, search gives the results of the pages themselves and says which file it left alone.
// Only what is still a well-formed file without checksums (bm25.json, chunks.json) can be taken for one.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerQuestion } from "../../src/ollama/answer.ts";
import { times } from "../helpers/chance.ts";
import { type FakeOllama, letterVector, startFakeOllama } from "../helpers/fake-ollama.ts";
import { damage, INDEX_FILES, type IndexedVault, type IndexFile, indexedVault } from "../helpers/index-damage.ts";
import { NATIVE_PYTHON, NativePython } from "../helpers/native.ts";
import { ask as askLane, atRest, laneOver, requestText, textOf } from "../helpers/runtime.ts";

const QUERIES = ["beans roast", "leaves high", "diary 2026-05", "番茄", "water", "axolotl"];
const OF_WORDS: readonly IndexFile[] = ["index.bin", "bm25.json"];
const CHECKED: readonly IndexFile[] = ["index.bin", "vectors.bin"]; // by checksums of their own

interface Answer {
  results: { path: string; score: number }[];
  source: string;
  reason: string | null;
  fallback: string;
  semanticError?: string;
}
type Ask = (query: string) => Promise<Answer>;

let ollama: FakeOllama;
let vault: IndexedVault;

beforeAll(async () => {
  ollama = await startFakeOllama({ vectorOf: letterVector });
  vault = await indexedVault(ollama.url);
});
afterAll(async () => {
  await ollama.close();
  vault[Symbol.dispose]();
});

function answered(text: string): Answer {
  const { ok, payload } = JSON.parse(text);
  expect(ok, text).toBe(true);
  return payload;
}

/** The vault with one index file alone, or none. */
function leave(name: IndexFile | null, bytes?: Buffer): void {
  rmSync(vault.retrieval, { recursive: true });
  mkdirSync(vault.retrieval);
  if (name !== null) writeFileSync(join(vault.retrieval, name), bytes ?? vault.files[name]);
}

async function all(ask: Ask): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>();
  for (const query of QUERIES) answers.set(query, await ask(query));
  return answers;
}

const isJson = (bytes: Buffer): boolean => {
  try {
    return typeof JSON.parse(bytes.toString()) === "object";
  } catch {
    return false;
  }
};

/** What was ranked from a file that looks whole: pages that are there, best first. */
function expectRanked({ results }: Answer): void {
  for (const { path, score } of results) {
    expect(vault.pages).toContain(path);
    expect(score).toBeGreaterThan(0);
  }
  const scores = results.map(({ score }) => score);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
}

async function everyDamage(names: readonly IndexFile[], ask: Ask, cases: number): Promise<void> {
  leave(null);
  const live = await all(ask);
  const whole = new Map<IndexFile, Map<string, Answer>>();
  for (const name of names) {
    leave(name);
    whole.set(name, await all(ask));
  }
  let refused = 0;
  const check = async (name: IndexFile, query: string, change: (whole: Buffer) => Buffer): Promise<void> => {
    const bytes = change(vault.files[name]);
    leave(name, bytes);
    const answer = await ask(query);
    const ofWords = OF_WORDS.includes(name);
    if (ofWords ? answer.source === "index-file" : answer.fallback === "hybrid") {
      if (CHECKED.includes(name)) expect(answer.results).toEqual(whole.get(name)!.get(query)!.results);
      else expect(isJson(bytes)).toBe(true);
      expectRanked(answer);
      return;
    }
    refused++;
    expect(answer.results).toEqual(live.get(query)!.results);
    const asked = ofWords || !/\d{4}-\d\d/.test(query); // a query with a date stays with words
    const why = ofWords ? answer.reason : answer.semanticError;
    if (asked) expect(why).toMatch(new RegExp(`${name.replace(".", "\\.")} (is not|cannot be) used\\. .+\\.`));
  };
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), fc.constantFrom(...QUERIES), damage(vault.files), check),
    times(cases),
  );
  expect(refused).toBeGreaterThan(cases / 3);
  for (const name of names) {
    leave(name);
    for (const [query, { results }] of whole.get(name)!) expect((await ask(query)).results).toEqual(results);
  }
}

test.skipIf(!NATIVE_PYTHON)("files of words, natively", async () => {
  const python = new NativePython();
  const ask: Ask = async (query) => answered(await python.ask(vault.path, requestText("search", { query })));
  await everyDamage(OF_WORDS, ask, 3_000);
  python.close();
});

test("every index file, in the sandbox, where nothing is left behind", async () => {
  const connection = { baseUrl: ollama.url, model: "qwen3-embedding:4b", deadlineMs: 60_000 };
  let sandboxes = 0;
  const lane = laneOver(vault.path, {
    answer: (question) => answerQuestion(question, connection),
    onStart: () => sandboxes++,
  });
  const ask: Ask = async (query) => {
    const reply = await askLane(lane, requestText("search", { query, hybrid: true }));
    expect(reply.kind).toBe("answered");
    await atRest(lane);
    expect(sandboxes).toBe(1);
    return answered(textOf(reply));
  };
  await everyDamage(INDEX_FILES, ask, 400);
  await lane.close();
});
