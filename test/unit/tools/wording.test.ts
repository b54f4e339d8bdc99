// How answers read in a terminal, and that a page cannot do anything to it.
import { expect, test } from "vitest";
import type { Failure, Payload } from "../../../src/shared/envelope.ts";
import { TOOLS } from "../../../src/tools/catalog.ts";
import { failureWords } from "../../../src/tools/failure.ts";
import { count, facts, grouped, oneLine, printable, size } from "../../../src/tools/render.ts";

const tool = (operation: string) => TOOLS.find((one) => one.operation === operation)!;

const result = {
  path: "wiki/plants/tomatoes.md",
  score: 8.3141,
  match: "bm25",
  title: "Tomatoes",
  section: "#blight",
  breadcrumb: "Tomatoes > Blight",
  lineStart: 19,
  lineEnd: 21,
  excerpt: "Brown spots\nwith a pale edge",
  read: { page: "wiki/plants/tomatoes.md", expectedHash: "0", start: 1, end: 2 },
};
const search: Payload = {
  query: "blight",
  vault: "/v",
  index: null,
  results: [result],
  fallback: "bm25",
  freshness: "unavailable",
  source: "live",
  reason: "There is no index file.",
  evidence: { confidence: "strong", abstain: false, reasons: [] },
  notes: [],
};

test("escape sequences of a page are shown, not obeyed", () => {
  expect(printable("a\u001b[2Jb\u009b31mc\u007f\td\r\ne")).toBe("a␛[2Jb�31mc␡\td\ne");
  expect(oneLine("two\nlines\u001b]0;title\u0007")).toBe("two lines␛]0;title␇");
});

test("numbers read the same on every machine", () => {
  expect([grouped(12034), count(1, "page"), count(0, "page"), size(512), size(10 * 1024)]).toEqual([
    "12,034",
    "1 page",
    "0 pages",
    "512 bytes",
    "10.0 KiB",
  ]);
});

test("facts stand in a column", () => {
  expect(
    facts([
      ["a", "1"],
      ["long", "2"],
    ]),
  ).toBe("a     1\nlong  2");
});

test("a search names each page with its place, its heading and why it was found", () => {
  expect(tool("search").words(search)).toBe(
    [
      "1. wiki/plants/tomatoes.md  lines 19–21  bm25 8.31",
      "   Tomatoes > Blight",
      "   Brown spots with a pale edge",
      "",
      "Evidence strong.",
      "Ranked by bm25 from a live index; index file unavailable.",
      "There is no index file.",
    ].join("\n"),
  );
  expect(tool("search").headline(search)).toBe("1 result, best wiki/plants/tomatoes.md, evidence strong");
});

test("a search without results says so, why, and what could be written", () => {
  const gap = { suggested_page: "wiki/axolotl.md", hint: "…" };
  const nothing = { ...search, results: [], reason: "No page matches.", knowledge_gap: gap };
  expect(tool("search").headline(nothing)).toBe("nothing found: No page matches.");
  expect(tool("search").words(nothing)).toMatch(/^Nothing found\.\n\nIt could be a page: wiki\/axolotl\.md\n/);
});

test("a search shows inlined sections and pages, and says what did not fit", () => {
  const more = {
    ...search,
    results: [
      { ...result, content: "## Blight\n\nBrown spots" },
      { ...result, budget_exceeded: true },
    ],
    pages: [
      { page: "wiki/a.md", title: "A", expectedHash: "0", lineStart: 1, lineEnd: 2, text: "# A\nb\n", truncated: true },
    ],
    rescued: { tomatoe: ["tomato"], xyzzy: [] },
    semanticError: "Ollama does not answer.",
  };
  const words = tool("search").words(more);
  expect(words).toContain("   │ ## Blight\n\n   │ Brown spots");
  expect(words).toContain("(its section did not fit: read it by its reference)");
  expect(words).toContain("── wiki/a.md  lines 1–2, the page goes on\n   │ # A\n   │ b");
  expect(words).toContain('No page has "tomatoe"; tried tomato.\nNo page has "xyzzy".');
  expect(words).toContain("Meaning search was off: Ollama does not answer.");
  const some = tool("search").words({ ...more, fallback: "hybrid", semanticError: "1 of 9 pages is new." });
  expect(some).toContain("\nMeaning search: 1 of 9 pages is new.\n");
});

test("a search says what it left out, why a page was not read, and which headings there are", () => {
  const toc = [
    { section: "#a", level: 1, title: "A", line: 1 },
    { section: "#b", level: 2, title: "B", line: 40 },
  ];
  const page = { page: "wiki/a.md", title: "A", expectedHash: "0" };
  const words = tool("search").words({
    ...search,
    excluded: 1,
    skipped: { hidden: 3, "not-local": 2, reserved: 1, symlink: 1 },
    leftOut: ["what", "is"],
    pages: [
      { ...page, lineStart: 1, lineEnd: 2, text: "# A\nb\n", truncated: true, toc },
      { ...page, section: null, sectionFound: false, toc },
      { ...page, budget_exceeded: true },
    ],
  });
  expect(words).toContain("   │ b\n\n   The whole page:\n   A  line 1\n     B  line 40");
  expect(words).toContain("── wiki/a.md  has no such section; it has:\n   A  line 1\n     B  line 40");
  expect(words).toContain("── wiki/a.md  not read: it did not fit into this answer");
  expect(words).toContain(
    "Not looked for: what, is.\n1 page left out by Obsidian's excluded files.\nNot looked at: 2 not-local, 1 symlink.",
  );
});

test("an outline is a tree with selectors and the hash that reading needs", () => {
  const section = { breadcrumb: "", start: 0, end: 9, ownEnd: 9, lineStart: 1, lineEnd: 3 };
  const outline = {
    vault: "/v",
    page: "wiki/a.md",
    title: "A",
    expectedHash: "abc",
    characters: 1_234,
    lines: 40,
    total: 5,
    sections: [
      { ...section, section: "^lead", level: 0, title: "" },
      { ...section, section: "#a", level: 1, title: "A" },
      { ...section, section: "#b", level: 2, title: "B" },
    ],
    nextOffset: 3,
  };
  expect(tool("outline").words(outline)).toBe(
    [
      "A",
      "wiki/a.md  40 lines, 1,234 characters, hash abc",
      "",
      "^lead  (before the first heading)  lines 1–3",
      "#a     A  lines 1–3",
      "#b       B  lines 1–3",
      "… 2 more from offset 3",
    ].join("\n"),
  );
});

test("a reading that was cut says so and gives the cursor, inside the text itself", () => {
  const reading = {
    page: "wiki/a.md",
    start: 0,
    end: 5,
    lineStart: 1,
    lineEnd: 1,
    text: "naïve\n",
    truncated: true,
    cursor: "CUR",
  };
  expect(tool("read").words(reading)).toBe("wiki/a.md  line 1, characters 0–5\n\nnaïve\n\n… more follows, cursor CUR");
  expect(tool("read").headline({ ...reading, elided: [{}, {}] })).toBe(
    "line 1, 6 characters, more follows, 2 passages no longer in force left out",
  );
});

test("a report begins with its verdict and leaves the table of limits to the manual", () => {
  const report = {
    vault: "/v",
    problem: null,
    retrieval: { freshness: "stale", ready: true },
    sandbox: { start: "snapshot", limits: { resultsMax: 100 } },
    pages: { counted: 44, skipped: { reserved: { count: 2, examples: ["wiki/index.md"] } } },
  };
  const words = tool("doctor").words(report);
  expect(words).toMatch(/^\/v: 44 pages, index stale\n/);
  expect(words).toContain("  skipped:\n    reserved:\n      count  2\n      examples:\n        - wiki/index.md");
  expect(words).not.toContain("resultsMax");
  expect(tool("doctor").headline({ problem: "No vault is selected." })).toBe("No vault is selected.");
});

test("a failure names what fits, or the hash of now", () => {
  const failed: Failure = { operation: "read", ok: false, code: "section-ambiguous", message: "2 sections fit." };
  const sections = [
    { section: "#notes", breadcrumb: "2024 > Notes" },
    { section: "#notes-2", breadcrumb: "2025 > Notes" },
  ];
  expect(failureWords({ ...failed, payload: { sections } })).toBe(
    "section-ambiguous: 2 sections fit.\n  #notes    2024 > Notes\n  #notes-2  2025 > Notes",
  );
  expect(failureWords({ ...failed, code: "hash-mismatch", payload: { expectedHash: "new" } })).toContain(
    "hash now: new",
  );
});
