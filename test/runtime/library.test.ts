// The built library over the demo vault: what a program gets, in one sandbox.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { compile } from "@earendil-works/pi-schema";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Operation, Payload, Wiki } from "../../src/index.ts";
import { TOOLS } from "../../src/tools/catalog.ts";
import { gardenVault, projectRoot } from "../helpers/garden.ts";
import { picture } from "../helpers/untouched.ts";

const vault = gardenVault();
const before = picture(vault.path);
let wiki: Wiki;

beforeAll(async () => {
  const built = pathToFileURL(join(projectRoot, "dist/index.js")).href;
  const { openWiki } = (await import(built)) as typeof import("../../src/index.ts");
  wiki = openWiki({ vault: vault.path, env: {} });
});

afterAll(async () => {
  await wiki.close();
  expect(picture(vault.path)).toEqual(before);
  vault[Symbol.dispose]();
});

describe("a page in its own language is found in it", () => {
  test.each([
    ["番茄 防病", "wiki/people/mei-番茄笔记.md"],
    ["堆肥の温度", "wiki/people/haru-堆肥メモ.md"],
    ["고추 모종", "wiki/people/jisoo-고추.md"],
    ["نعناع", "wiki/people/samir-النعناع.md"],
    ["rau thom", "wiki/people/linh-rau-thom.md"],
    ["โหระพา", "wiki/people/dao-สมุนไพร.md"],
    ["Apfelbäume schneiden", "wiki/people/novak-winterschnitt.md"],
    ["zurek", "wiki/recipes/zurek.md"],
    ["creme de courge", "wiki/recipes/creme-de-courge.md"],
  ])("%s", async (query, path) => {
    const answer = await wiki.call("search", { query, limit: 1 });
    expect(answer).toMatchObject({ ok: true, payload: { results: [{ path }] } });
  });
});

describe("answers have the shape that the tools declare", () => {
  const page = "wiki/plants/tomatoes.md";
  const calls: [Operation, Payload][] = [
    ["search", { query: "tomato", include_content: true, read_top_n: 2, include_toc: true, per_page_limit: 3 }],
    ["search", { query: "tomato", include_content: true, inline_budget: 0 }],
    ["search", { query: "axolotl" }],
    ["search", { query: "tomatoe", hybrid: true }],
    ["outline", { page }],
    ["doctor", {}],
  ];

  async function expectDeclared(operation: Operation, args: Payload) {
    const answer = await wiki.call(operation, args);
    expect(answer).toMatchObject({ ok: true });
    const validator = compile(TOOLS.find((tool) => tool.operation === operation)!.outputSchema);
    expect(validator.check(answer), JSON.stringify(answer)).toBe(true);
    return answer.payload!;
  }

  test.each(calls)("%s %j", async (operation, args) => {
    await expectDeclared(operation, args);
  });

  test.each(["raw", "current"])("read in the view %s", async (view) => {
    const { expectedHash } = await expectDeclared("outline", { page });
    await expectDeclared("read", { page, expectedHash, section: "Blight", view });
  });
});
