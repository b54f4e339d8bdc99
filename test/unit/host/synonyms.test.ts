import { expect, test } from "vitest";
import { configuredSynonyms } from "../../../src/host/select.ts";
import { synonymGroups } from "../../../src/host/synonyms.ts";

test("groups come from words with their others, or from a list of groups", () => {
  expect(synonymGroups({ crema: ["espresso", "coffee"], k8s: "kubernetes" })).toEqual([
    ["crema", "espresso", "coffee"],
    ["k8s", "kubernetes"],
  ]);
  expect(synonymGroups([["a", "b"], ["c"]])).toEqual([["a", "b"]]);
});

test("what is neither a group nor a word is left out", () => {
  for (const value of [undefined, null, 5, "x", [], [5, [null, "a"]], { a: 7, b: [{}, []] }]) {
    expect(synonymGroups(value)).toEqual([]);
  }
  expect(synonymGroups([["a", 5, "b", null, "x".repeat(101)]])).toEqual([["a", "b"]]);
});

test("a request stays small, however many words there are", () => {
  const huge = Array.from({ length: 5_000 }, (_, at) => Array.from({ length: 30 }, (_, of) => `word${at}of${of}`));
  expect(JSON.stringify(synonymGroups(huge)).length).toBeLessThan(256 * 1024);
});

test("they are read from the selected configuration, and a malformed one has none", async () => {
  const read = (text: string | null) =>
    configuredSynonyms({
      env: { OBSIDIAN_AGENT_CONFIG: "/c.json" },
      cwd: "/",
      home: "/home/ann",
      platform: "linux",
      readFile: async (path) => (path === "/c.json" && text !== null ? Buffer.from(text) : null),
    });
  expect(await read('{"synonyms": {"crema": ["espresso"]}}')).toEqual([["crema", "espresso"]]);
  expect(await read('{"vaultPath": 5, "synonyms": {"crema": ["espresso"]}}')).toEqual([]);
  expect(await read("{")).toEqual([]);
  expect(await read(null)).toEqual([]);
});
