// Requests of every kind for the bridge: none at all, JSON of any shape, and such as only one thing is wrong with.
import fc from "fast-check";

export interface KnownPage {
  page: string;
  expectedHash: string;
}

const NUMBERS = [-1, 0, 1, 2, 3, 10, 99, 100, 101, 500, 4_000, 12_000, 12_001, 2 ** 31, 2 ** 53, 1e308, 1.5, -0];
const TEXTS = [
  "",
  " ",
  "\0",
  "wiki",
  "raw",
  "current",
  "a",
  "Roasting",
  "A > B",
  "^lead",
  "#roasting",
  "#x~2",
  "2026-05-17",
];
const PATHS = [
  "wiki/none.md",
  "wiki/../a.md",
  "/etc/passwd",
  "wiki/index.md",
  "wiki\\a.md",
  "wiki/.a.md",
  "wiki/a.md/",
  "a",
];

/** An argument's value: mostly of a kind that could be meant. */
function values(pages: readonly KnownPage[]): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom<unknown>(...NUMBERS) },
    { weight: 4, arbitrary: fc.constantFrom(...TEXTS, ...PATHS, ...pages.flatMap((known) => Object.values(known))) },
    {
      weight: 2,
      arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, ["a"], [1], [["a"]], "x".repeat(5_000)),
    },
    { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 30 }) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  );
}

interface Call {
  operation: unknown;
  arguments: object;
}

/** Calls that may be answered. */
function calls(pages: readonly KnownPage[]): fc.Arbitrary<Call> {
  const call = (operation: string, args: fc.Arbitrary<object>) =>
    args.map((given) => ({ operation, arguments: given }));
  const known = fc.constantFrom(...pages);
  const small = fc.integer({ min: 0, max: 40 });
  const words = fc.oneof(fc.constantFrom("coffee", "roasting beans", "2026-05 x", "é"), fc.string({ minLength: 1 }));
  const spans = fc
    .tuple(known, small, small)
    .map(([at, a, b]) => ({ ...at, start: Math.min(a, b), end: Math.max(a, b) }));
  const sections = fc.tuple(known, fc.constantFrom(...TEXTS)).map(([at, section]) => ({ ...at, section }));
  const none = fc.constant({});
  return fc.oneof(
    call(
      "search",
      words.map((query) => ({ query })),
    ),
    call(
      "outline",
      known.map(({ page }) => ({ page })),
    ),
    call("read", spans),
    call("read", sections),
    call("doctor", none),
    call("index", none),
  );
}

const ARGUMENTS =
  "query limit hybrid type tags include_content inline_budget read_top_n section per_page_limit include_toc page offset expectedHash start end view maxChars cursor compat semantic none";

/** The text of a request that may be sound, with at most a few things wrong in it. */
function nearlySound(pages: readonly KnownPage[], wikis: readonly string[]): fc.Arbitrary<string> {
  const any = values(pages);
  const seldom = (weight: number, odd: fc.Arbitrary<object>) => fc.oneof({ weight, arbitrary: fc.constant({}) }, odd);
  const request = fc
    .record({
      call: calls(pages),
      oddArguments: seldom(1, fc.dictionary(fc.constantFrom(...ARGUMENTS.split(" ")), any, { maxKeys: 3 })),
      oddParts: seldom(5, fc.dictionary(fc.constantFrom("operation", "arguments", "remainingMs", "host", "x"), any)),
      wiki: fc.oneof({ weight: 4, arbitrary: fc.constant("wiki") }, fc.constantFrom(...wikis)),
      remainingMs: fc.constantFrom(600_000, 30_000, 1, 0),
    })
    .map(({ call, oddArguments, oddParts, wiki, remainingMs }) => ({
      operation: call.operation,
      arguments: { ...call.arguments, ...oddArguments },
      vault: { shown: "/shown", wiki },
      remainingMs,
      host: {},
      ...oddParts,
    }));
  const change = fc.tuple(
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.string({ unit: "binary", maxLength: 4 }),
    fc.nat(9),
  );
  return fc.tuple(request, fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, change)).map(([value, changed]) => {
    const text = JSON.stringify(value);
    if (changed === null) return text;
    const [where, inserted, left] = changed;
    const at = Math.floor(where * text.length);
    return text.slice(0, at) + inserted + text.slice(at + left);
  });
}

/** `wikis` are the folders that may be named as the place of pages: natively, they are real folders of this machine. */
export function requestTexts(pages: readonly KnownPage[], wikis: readonly string[]): fc.Arbitrary<string> {
  return fc
    .oneof(
      { weight: 6, arbitrary: nearlySound(pages, wikis) },
      { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 200 }) },
      { weight: 1, arbitrary: fc.json({ maxDepth: 4 }) },
      {
        weight: 1,
        arbitrary: fc.constantFrom("", " ", "null", "[]", "{}", "[".repeat(5_000), `{"a":${"[".repeat(99)}`, "1e999"),
      },
    )
    .map((text) => text.toWellFormed()); // it travels as UTF-8
}
