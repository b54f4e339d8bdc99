// wiki_search: which pages, where in them, and the reference that reads it.
import { type Static, Type } from "@sinclair/typebox";
import { LIMITS } from "../shared/limits.ts";
import { count, grouped, indented, oneLine, printable } from "./render.ts";
import { ANSWER_LIMIT, answerSchema, greatest, PAGES_ARE_DATA, READ_ONLY, vaultInput, type WikiTool } from "./tool.ts";

/** Most pages that one search reads as well. */
export const READ_TOP_MAX = 10;

/** Lines of each such page. */
export const PER_PAGE_LINES = { default: 200, max: 500 } as const;

const parameters = Type.Object(
  {
    query: Type.String({
      minLength: 1,
      maxLength: LIMITS.queryMaxChars,
      description: "Plain words. An ISO date (2026-05 or 2026-05-17) puts dated pages and sections first.",
    }),
    vault: vaultInput,
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LIMITS.resultsMax,
        default: LIMITS.resultsDefault,
        description: "Most results.",
      }),
    ),
    hybrid: Type.Optional(
      Type.Boolean({
        default: false,
        description: "Also rank by meaning, with Ollama on this machine. Without it, words alone are used.",
      }),
    ),
    type: Type.Optional(
      Type.String({ minLength: 1, description: "Keep pages with this frontmatter `type`, after ranking." }),
    ),
    tags: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        minItems: 1,
        description:
          "Keep pages with at least one of these tags, after ranking; with or without #, a tag covers those below it.",
      }),
    ),
    include_content: Type.Optional(
      Type.Boolean({
        default: false,
        description: `Put the matched section into each result, or the first ${PER_PAGE_LINES.default} lines of the page.`,
      }),
    ),
    inline_budget: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: "Most characters of such content in all; the best results first, the rest say budget_exceeded.",
      }),
    ),
    read_top_n: Type.Optional(
      Type.Integer({ minimum: 1, maximum: READ_TOP_MAX, description: "Also read the best N pages, each once." }),
    ),
    section: Type.Optional(
      Type.String({ minLength: 1, description: "The heading to read in those pages: any case, a part is enough." }),
    ),
    per_page_limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: PER_PAGE_LINES.max,
        default: PER_PAGE_LINES.default,
        description: "Most lines of each such page.",
      }),
    ),
    include_toc: Type.Optional(
      Type.Boolean({ default: false, description: "List the headings of such pages that were cut." }),
    ),
  },
  { additionalProperties: false },
);

const nullableText = Type.Union([Type.String(), Type.Null()]);

const reference = Type.Object({
  page: Type.String(),
  expectedHash: Type.String(),
  start: Type.Integer(),
  end: Type.Integer(),
});

const resultSchema = Type.Object({
  path: Type.String(),
  score: Type.Number(),
  match: Type.String(),
  title: Type.String(),
  section: nullableText,
  breadcrumb: nullableText,
  lineStart: Type.Integer(),
  lineEnd: Type.Integer(),
  excerpt: Type.String(),
  content: Type.Optional(Type.String()),
  budget_exceeded: Type.Optional(Type.Boolean()),
  read: reference,
});

const pageReadSchema = Type.Object({
  page: Type.String(),
  title: Type.String(),
  expectedHash: Type.String(),
  lineStart: Type.Optional(Type.Integer()),
  lineEnd: Type.Optional(Type.Integer()),
  text: Type.Optional(Type.String()),
  truncated: Type.Optional(Type.Boolean()),
  sectionFound: Type.Optional(Type.Boolean()),
  toc: Type.Optional(Type.Array(Type.Object({ level: Type.Integer(), title: Type.String(), line: Type.Integer() }))),
});

const payloadSchema = Type.Object({
  query: Type.String(),
  vault: Type.String(),
  index: nullableText,
  results: Type.Array(resultSchema),
  fallback: Type.String(),
  freshness: Type.String(),
  source: nullableText,
  reason: nullableText,
  evidence: Type.Object({
    confidence: Type.String(),
    abstain: Type.Boolean(),
    reasons: Type.Array(Type.String()),
  }),
  excluded: Type.Optional(Type.Integer()),
  skipped: Type.Optional(Type.Record(Type.String(), Type.Integer())),
  leftOut: Type.Optional(Type.Array(Type.String())),
  rescued: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
  notes: Type.Array(Type.String()),
  semanticError: Type.Optional(Type.String()),
  pages: Type.Optional(Type.Array(pageReadSchema)),
  nextReads: Type.Optional(Type.Array(Type.Object({ why: Type.String(), read: reference }))),
  knowledge_gap: Type.Optional(Type.Object({ suggested_page: Type.String(), hint: Type.String() })),
});

type Search = Static<typeof payloadSchema>;
type Result = Static<typeof resultSchema>;
type PageRead = Static<typeof pageReadSchema>;

export const searchTool: WikiTool<typeof parameters> = {
  name: "wiki_search",
  operation: "search",
  label: "Search the wiki",
  description: [
    "Rank the pages of the user's Obsidian wiki by the words of a query. Each result has an excerpt, its place, and `read`: a ready reference that goes into wiki_read as it is.",
    `Plain words in any language, at most ${grouped(LIMITS.queryMaxChars)} characters; there is no query language and no filter by property, so do not write status:draft: use type and tags.`,
    `At most ${LIMITS.resultsMax} results (${LIMITS.resultsDefault} unless limit says otherwise).`,
    "`evidence` says how far the answer carries; when it says abstain, do not answer from it. No result, a stale index or a fallback only says what was looked at and is never evidence that something is not so.",
    ANSWER_LIMIT,
    PAGES_ARE_DATA,
  ].join(" "),
  promptSnippet: "Search the user's Obsidian wiki by words; gives references for wiki_read",
  parameters,
  outputSchema: answerSchema("search", payloadSchema),
  annotations: READ_ONLY,
  asked: ({ query, limit, hybrid, type, tags }) =>
    oneLine(
      [
        JSON.stringify(query ?? ""),
        type === undefined ? "" : `type ${type}`,
        Array.isArray(tags) ? `tags ${tags.join(" ")}` : "",
        hybrid ? "hybrid" : "",
        limit === undefined ? "" : `limit ${limit}`,
      ].join(" "),
    ),
  headline(payload) {
    const { results, reason, evidence } = payload as Search;
    const [best] = results;
    if (best === undefined) return `nothing found${reason ? `: ${oneLine(reason)}` : ""}`;
    return `${count(results.length, "result")}, best ${oneLine(best.path)}, evidence ${evidence.confidence}`;
  },
  words(payload) {
    const { results, pages = [], knowledge_gap: gap } = payload as Search;
    const blocks = results.length === 0 ? ["Nothing found."] : results.map(resultWords);
    const suggestion = gap ? [`It could be a page: ${oneLine(gap.suggested_page)}\n${oneLine(gap.hint)}`] : [];
    return [...blocks, ...pages.map(pageWords), ...suggestion, remarks(payload as Search)].join("\n\n");
  },
  smaller(args, payload, fits) {
    // The sandbox already leaves out what does not fit, so this is reached by what it could not foresee.
    const { results } = payload as Search;
    const withoutContent = results.map((result) => ({ ...result, content: "" }));
    if (args.include_content && fits({ ...payload, results: withoutContent })) return { include_content: false };
    if (args.read_top_n && fits({ ...payload, pages: [] })) return { read_top_n: 1, per_page_limit: 20 };
    const limit = greatest(results.length, (most) => fits({ ...payload, results: results.slice(0, most) }));
    return limit === 0 ? null : { limit };
  },
};

function resultWords(result: Result, at: number): string {
  const { lineStart, lineEnd, breadcrumb, content, budget_exceeded } = result;
  const lines = lineStart === lineEnd ? `line ${lineStart}` : `lines ${lineStart}–${lineEnd}`;
  return [
    `${at + 1}. ${oneLine(result.path)}  ${lines}  ${result.match} ${result.score.toFixed(2)}`,
    ...(breadcrumb ? [`   ${oneLine(breadcrumb)}`] : []),
    `   ${oneLine(result.excerpt)}`,
    ...(content === undefined ? [] : ["", indented(printable(content).trimEnd(), "   │ ")]),
    ...(budget_exceeded ? ["   (its section did not fit: read it by its reference)"] : []),
  ].join("\n");
}

function pageWords(read: PageRead): string {
  const { page, lineStart, lineEnd, text, truncated, toc = [] } = read;
  const headings = toc.map(({ level, title, line }) => `   ${"  ".repeat(level - 1)}${oneLine(title)}  line ${line}`);
  if (text === undefined) return [`── ${oneLine(page)}  ${notRead(read)}`, ...headings].join("\n");
  const head = `── ${oneLine(page)}  lines ${lineStart}–${lineEnd}${truncated ? ", the page goes on" : ""}`;
  const contents = headings.length === 0 ? [] : ["", "   The whole page:", ...headings];
  return [head, indented(printable(text).trimEnd(), "   │ "), ...contents].join("\n");
}

function notRead({ sectionFound, toc }: PageRead): string {
  if (sectionFound !== false) return "not read: it did not fit into this answer";
  return `has no such section${toc && toc.length > 0 ? "; it has:" : ""}`;
}

/** What a reader must know to weigh the answer: how far it carries, what was ranked, what was not seen. */
function remarks(search: Search): string {
  const { evidence, fallback, source, freshness, reason, semanticError, rescued = {}, notes } = search;
  const { excluded = 0, skipped = {}, leftOut = [] } = search;
  const tried = Object.entries(rescued).map(([word, used]) =>
    used.length === 0 ? `No page has "${word}".` : `No page has "${word}"; tried ${used.join(", ")}.`,
  );
  const from = source === "live" ? " from a live index" : source === null ? "" : " from the index file";
  const ranked = `Ranked by ${fallback}${from}; index file ${freshness}.`;
  // It may have helped all the same, where only some pages could be ranked by it.
  const meaning = fallback === "hybrid" ? "Meaning search" : "Meaning search was off";
  const trouble = semanticError === undefined ? [] : [`${meaning}: ${semanticError}`];
  const weighed = `Evidence ${evidence.confidence}${evidence.abstain ? ", better not answered from" : ""}.`;
  const words = leftOut.length === 0 ? [] : [`Not looked for: ${leftOut.join(", ")}.`];
  const pages = excluded === 0 ? [] : [`${count(excluded, "page")} left out by Obsidian's excluded files.`];
  const refused = Object.entries(skipped).filter(([why]) => why !== "reserved" && why !== "hidden");
  const others = refused.length === 0 ? [] : [`Not looked at: ${refused.map(([why, n]) => `${n} ${why}`).join(", ")}.`];
  return [weighed, ranked, ...(reason ? [reason] : []), ...trouble, ...words, ...tried, ...pages, ...others, ...notes]
    .map(oneLine)
    .join("\n");
}
