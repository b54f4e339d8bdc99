// wiki_outline: the sections of a page, so that an agent reads the one it needs and not the page.
import { type Static, Type } from "@sinclair/typebox";
import type { Payload } from "../shared/envelope.ts";
import { LIMITS } from "../shared/limits.ts";
import { count, grouped, oneLine } from "./render.ts";
import {
  ANSWER_LIMIT,
  answerSchema,
  greatest,
  hashInput,
  PAGES_ARE_DATA,
  pageInput,
  READ_ONLY,
  vaultInput,
  type WikiTool,
} from "./tool.ts";

const parameters = Type.Object(
  {
    page: pageInput,
    vault: vaultInput,
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LIMITS.outlineMax,
        default: LIMITS.outlineDefault,
        description: "Most sections in one answer.",
      }),
    ),
    offset: Type.Optional(
      Type.Integer({
        minimum: 0,
        default: 0,
        description: "Sections to leave out at the start: the nextOffset of the answer before.",
      }),
    ),
    expectedHash: Type.Optional(hashInput("The expectedHash of the first answer; needed when offset is above 0.")),
  },
  { additionalProperties: false },
);

const payloadSchema = Type.Object({
  vault: Type.String(),
  page: Type.String(),
  title: Type.String(),
  expectedHash: Type.String(),
  characters: Type.Integer(),
  lines: Type.Integer(),
  total: Type.Integer(),
  sections: Type.Array(
    Type.Object({
      section: Type.String(),
      level: Type.Integer(),
      title: Type.String(),
      breadcrumb: Type.String(),
      start: Type.Integer(),
      end: Type.Integer(),
      ownEnd: Type.Integer(),
      lineStart: Type.Integer(),
      lineEnd: Type.Integer(),
    }),
  ),
  nextOffset: Type.Union([Type.Integer(), Type.Null()]),
});

type Outline = Static<typeof payloadSchema>;

export const outlineTool: WikiTool<typeof parameters> = {
  name: "wiki_outline",
  operation: "outline",
  label: "Outline a wiki page",
  description: [
    "List the sections of one page of the user's wiki: a selector, level, title, breadcrumb and exact position for each, and the page's expectedHash, which wiki_read needs.",
    `At most ${LIMITS.outlineMax} sections an answer (${LIMITS.outlineDefault} unless limit says otherwise); nextOffset continues.`,
    "What stands before the first heading is a section of level 0. Positions are Unicode code points, zero-based, half-open.",
    ANSWER_LIMIT,
    PAGES_ARE_DATA,
  ].join(" "),
  promptSnippet: "List the sections of a page of the user's Obsidian wiki",
  parameters,
  outputSchema: answerSchema("outline", payloadSchema),
  annotations: READ_ONLY,
  asked: ({ page, offset }) => oneLine(`${page ?? ""}${offset ? ` from section ${offset}` : ""}`),
  headline(payload) {
    const { title, total, lines } = payload as Outline;
    return `${oneLine(title)}: ${count(total, "section")}, ${count(lines, "line")}`;
  },
  words(payload) {
    const outline = payload as Outline;
    const head = `${oneLine(outline.title)}\n${oneLine(outline.page)}  ${count(outline.lines, "line")}, ${count(outline.characters, "character")}, hash ${outline.expectedHash}`;
    const selectors = Math.max(0, ...outline.sections.map(({ section }) => section.length));
    const rows = outline.sections.map(
      ({ section, level, title, lineStart, lineEnd }) =>
        `${section.padEnd(selectors)}  ${"  ".repeat(Math.max(0, level - 1))}${oneLine(title) || "(before the first heading)"}  lines ${grouped(lineStart)}–${grouped(lineEnd)}`,
    );
    const more =
      outline.nextOffset === null
        ? []
        : [`… ${outline.total - outline.nextOffset} more from offset ${outline.nextOffset}`];
    return [head, "", ...rows, ...more].join("\n");
  },
  smaller(_args, payload, fits) {
    const { sections } = payload as Outline;
    const limit = greatest(sections.length, (most) => fits(cut(payload, most)));
    return limit === 0 ? null : { limit };
  },
};

function cut(payload: Payload, most: number): Payload {
  const outline = payload as Outline;
  return { ...outline, sections: outline.sections.slice(0, most), nextOffset: outline.total };
}
