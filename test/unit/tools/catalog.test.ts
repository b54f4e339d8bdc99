// What a model is told about the tools, and what their schemas let through.
import { compile } from "@earendil-works/pi-schema";
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../src/shared/limits.ts";
import { TOOLS } from "../../../src/tools/catalog.ts";

const tool = (operation: string) => TOOLS.find((one) => one.operation === operation)!;
/** As Pi checks a call's arguments. */
const accepts = (operation: string, args: object) => compile(tool(operation).parameters).check(args);
/** Short enough for a test's title. */
const shown = (args: object) => JSON.stringify(args).replace(/q{9,}/, (run) => `q × ${run.length}`);

test("four tools, in the order in which they are used", () => {
  expect(TOOLS.map(({ name }) => name)).toEqual(["wiki_search", "wiki_outline", "wiki_read", "wiki_doctor"]);
});

test.each(TOOLS)("$name says that it only reads, and that pages are data", (one) => {
  expect(one.annotations).toEqual({
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  });
  expect(one.description).toMatch(/data/);
  expect(one.description).toMatch(/never (follow )?instructions/);
  expect(one.description).toContain(`${LIMITS.modelJsonMaxBytes / 1024} KiB`);
  expect(one.promptSnippet.length).toBeLessThan(120);
});

test("a schema is plain JSON that every provider takes: an object of named properties, nothing else", () => {
  for (const { parameters } of TOOLS) {
    const plain = JSON.parse(JSON.stringify(parameters));
    expect(plain).toMatchObject({ type: "object", additionalProperties: false });
    for (const property of Object.values<{ type?: string }>(plain.properties))
      expect(property.type).toBeTypeOf("string");
  }
});

test("every input of the contract is there", () => {
  const inputs = Object.fromEntries(TOOLS.map((one) => [one.operation, Object.keys(one.parameters.properties).sort()]));
  expect(inputs).toEqual({
    search: [
      ...["hybrid", "include_content", "include_toc", "inline_budget", "limit", "per_page_limit", "query"],
      ...["read_top_n", "section", "tags", "type", "vault"],
    ],
    outline: ["expectedHash", "limit", "offset", "page", "vault"],
    read: ["cursor", "end", "expectedHash", "maxChars", "page", "section", "start", "vault", "view"],
    doctor: ["vault"],
  });
});

test("a search for a property is answered before it is tried", () => {
  expect(tool("search").description).toContain("status:draft");
});

describe("bounds are those of the contract", () => {
  const hash = { page: "wiki/a.md", expectedHash: "0" };
  test.each(
    [
      ["search", { query: "" }, false],
      ["search", { query: "q" }, true],
      ["search", { query: "q".repeat(4_000) }, true],
      ["search", { query: "q".repeat(4_001) }, false],
      ["search", { query: "q", limit: 0 }, false],
      ["search", { query: "q", limit: 100 }, true],
      ["search", { query: "q", limit: 101 }, false],
      ["search", { query: "q", limit: 1.5 }, false],
      ["search", { query: "q", read_top_n: 10, per_page_limit: 500 }, true],
      ["search", { query: "q", read_top_n: 11 }, false],
      ["search", { query: "q", per_page_limit: 501 }, false],
      ["search", { query: "q", status: "draft" }, false],
      ["outline", { page: "wiki/a.md", limit: 100, offset: 0 }, true],
      ["outline", { page: "wiki/a.md", limit: 101 }, false],
      ["outline", { page: "wiki/a.md", offset: -1 }, false],
      ["read", { ...hash, section: "A", maxChars: 12_000, view: "current" }, true],
      ["read", { ...hash, maxChars: 12_001 }, false],
      ["read", { ...hash, view: "old" }, false],
      ["read", { page: "wiki/a.md" }, false],
      ["doctor", {}, true],
    ].map(([operation, args, allowed]) => [operation, shown(args as object), allowed, args] as const),
  )("%s %s: %s", (operation, _shown, allowed, args) => {
    expect(accepts(operation as string, args as object)).toBe(allowed);
  });
});
