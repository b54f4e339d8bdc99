// What can be typed, and what it asks for.
import { afterEach, describe, expect, test, vi } from "vitest";
import { runProgram } from "../../../src/cli/program.ts";

const said = { out: "", err: "" };

async function typed(...argv: string[]) {
  said.out = said.err = "";
  for (const [stream, name] of [
    [process.stdout, "out"],
    [process.stderr, "err"],
  ] as const) {
    vi.spyOn(stream, "write").mockImplementation((text) => {
      said[name] += text;
      return true;
    });
  }
  const asked: unknown[] = [];
  const status = await runProgram(argv, async (operation, args, settings) => {
    asked.push([operation, args, settings]);
    return 0;
  });
  return { status, asked };
}

afterEach(() => vi.restoreAllMocks());

test("every option of search reaches the operation under the contract's name", async () => {
  const options =
    "--limit 3 --hybrid --type guide --tag soil --tag water --include-content --inline-budget 500 --read-top 2 --section frost --per-page-limit 40 --include-toc";
  const { asked } = await typed("search", "hand", "pump", ...options.split(" "), "--vault", "v", "--json");
  expect(asked).toEqual([
    [
      "search",
      {
        query: "hand pump",
        limit: 3,
        hybrid: true,
        type: "guide",
        tags: ["soil", "water"],
        include_content: true,
        inline_budget: 500,
        read_top_n: 2,
        section: "frost",
        per_page_limit: 40,
        include_toc: true,
      },
      expect.objectContaining({ vault: "v", json: true }),
    ],
  ]);
});

test("only what was typed is asked for", async () => {
  const { asked } = await typed("search", "q");
  expect(asked).toEqual([["search", { query: "q" }, {}]]);
});

test("words after -- may begin with a dash", async () => {
  const { asked } = await typed("search", "--limit", "1", "--", "--dry-run", "-foo");
  expect(asked).toEqual([["search", { query: "--dry-run -foo", limit: 1 }, expect.anything()]]);
});

test("outline, read, doctor and index ask for their operations", async () => {
  const { asked: outline } = await typed("outline", "wiki/a.md", "--vault", "v", "--offset", "10", "--hash", "h");
  expect(outline).toEqual([["outline", { page: "wiki/a.md", offset: 10, expectedHash: "h" }, expect.anything()]]);
  const read = ["read", "wiki/a.md", "--vault", "v", "--hash", "h"];
  const { asked: span } = await typed(...read, "--start", "0", "--end", "9", "--view", "current", "--max-chars", "5");
  expect(span).toEqual([
    [
      "read",
      { page: "wiki/a.md", expectedHash: "h", start: 0, end: 9, view: "current", maxChars: 5 },
      expect.anything(),
    ],
  ]);
  const { asked: cursor } = await typed(...read, "--cursor", "c");
  expect(cursor).toEqual([["read", { page: "wiki/a.md", expectedHash: "h", cursor: "c" }, expect.anything()]]);
  const { asked: doctor } = await typed("doctor", "--config", "c.json", "--timeout", "1.5", "--isolated");
  expect(doctor).toEqual([["doctor", {}, { config: "c.json", timeout: 1500, isolated: true }]]);
  const { asked: probe } = await typed("doctor", "--probe");
  expect(probe).toEqual([["doctor", {}, { probe: true }]]); // the user's wish, not an argument that an agent could give
  const { asked: index } = await typed("index", "--compat", "--semantic", "--wiki-path", ".");
  expect(index).toEqual([["index", { compat: true, semantic: true }, expect.objectContaining({ wikiPath: "." })]]);
});

describe("wrong usage is status 2, says what is wrong, and asks nothing", () => {
  const read = ["read", "wiki/a.md", "--vault", "v", "--hash", "h"];
  test.each([
    [[], "Usage: pi-wiki"],
    [["serch", "q"], "unknown command 'serch'"],
    [["search"], "missing required argument 'query'"],
    [["search", "q", "--limit", "0"], "a whole number, 1 to 100"],
    [["search", "q", "--limit", "101"], "a whole number, 1 to 100"],
    [["search", "q", "--limit", "1e1"], "a whole number"],
    [["search", "q", "--read-top", "11"], "1 to 10"],
    [["search", "q", "--per-page-limit", "501"], "1 to 500"],
    [["search", "q", "--timeout", "0.5"], "a number of seconds, 1 to 600"],
    [["search", "q", "--status", "draft"], "unknown option '--status'"],
    [["search", "q", "--probe"], "unknown option '--probe'"],
    [["outline", "wiki/a.md"], "--vault is needed"],
    [["outline", "wiki/a.md", "--vault", " "], "--vault is needed"],
    [["outline", "wiki/a.md", "--vault", "v", "--offset", "1"], "needs the --hash"],
    [["read", "wiki/a.md", "--hash", "h", "--section", "A"], "--vault is needed"],
    [["read", "wiki/a.md", "--vault", "v", "--section", "A"], "'--hash <hash>' not specified"],
    [read, "give one of --section"],
    [[...read, "--section", "A", "--cursor", "c"], "give one of --section"],
    [[...read, "--start", "1"], "--start and --end go together"],
    [[...read, "--section", "A", "--view", "old"], "one of raw, current"],
    [[...read, "--section", "A", "--max-chars", "12001"], "1 to 12000"],
    [["index", "--isolated"], "unknown option '--isolated'"],
  ])("%j", async (argv, message) => {
    const { status, asked } = await typed(...argv);
    expect(status).toBe(2);
    expect(asked).toEqual([]);
    expect(said.err).toContain(message);
    expect(said.out).toBe("");
  });
});

test.each(["search", "outline", "read", "doctor", "index"])("%s --help teaches by example", async (command) => {
  const { status, asked } = await typed(command, "--help");
  expect(status).toBe(0);
  expect(asked).toEqual([]);
  expect(said.out).toContain(`Examples:\n  pi-wiki ${command}`);
  for (const option of ["--vault", "--config", "--wiki-path", "--timeout", "--json"])
    expect(said.out).toContain(option);
});

test("a failure's status is the operation's", async () => {
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  expect(await runProgram(["doctor"], async () => 1)).toBe(1);
});
