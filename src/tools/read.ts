// wiki_read: exact text of a page, with the positions that let an agent quote it.
import { type Static, Type } from "@sinclair/typebox";
import type { Payload } from "../shared/envelope.ts";
import { LIMITS } from "../shared/limits.ts";
import { count, grouped, oneLine, printable } from "./render.ts";
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
    expectedHash: hashInput("The hash that search or outline gave for the page."),
    vault: vaultInput,
    section: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          "A section's selector from the outline, or its heading, or its breadcrumb (A > B > C). Not together with start and end.",
      }),
    ),
    start: Type.Optional(Type.Integer({ minimum: 0, description: "First code point; needs end." })),
    end: Type.Optional(Type.Integer({ minimum: 0, description: "Code point after the last; needs start." })),
    view: Type.Optional(
      // A plain enum, which every provider accepts. No `default`: a client that filled it in would contradict a cursor.
      Type.Unsafe<"raw" | "current">({
        type: "string",
        enum: ["raw", "current"],
        description:
          "raw (unless told otherwise): the page as it is. current: leaves out what is marked as no longer in force, and says what it left out.",
      }),
    ),
    maxChars: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LIMITS.readMaxChars,
        default: LIMITS.readMaxChars,
        description: "Most code points in one answer.",
      }),
    ),
    cursor: Type.Optional(
      Type.String({ minLength: 1, description: "The cursor of a truncated answer: continues where that one ended." }),
    ),
  },
  { additionalProperties: false },
);

const nullableText = Type.Union([Type.String(), Type.Null()]);

const payloadSchema = Type.Object({
  vault: Type.String(),
  page: Type.String(),
  expectedHash: Type.String(),
  view: Type.String(),
  selection: Type.Unknown(),
  start: Type.Integer(),
  end: Type.Integer(),
  lineStart: Type.Integer(),
  lineEnd: Type.Integer(),
  text: Type.String(),
  truncated: Type.Boolean(),
  cursor: nullableText,
  segments: Type.Optional(Type.Array(Type.Unknown())),
  elided: Type.Optional(Type.Array(Type.Unknown())),
});

type Reading = Static<typeof payloadSchema>;

/** Stands for a cursor in the reckoning of what fits; a real one is shorter. */
const LONG_CURSOR = "c".repeat(1024);

export const readTool: WikiTool<typeof parameters> = {
  name: "wiki_read",
  operation: "read",
  label: "Read a wiki page",
  description: [
    "Read exact text from one page of the user's wiki. Give page and expectedHash and exactly one selection: section, or start with end; a `read` reference from wiki_search goes in as it is.",
    `At most ${grouped(LIMITS.readMaxChars)} characters an answer. When truncated is true, call again with the cursor (and page and expectedHash) for the rest; joined, the answers are the selection to the character.`,
    "Positions are Unicode code points, zero-based, half-open; lines are one-based, inclusive.",
    ANSWER_LIMIT,
    PAGES_ARE_DATA,
  ].join(" "),
  promptSnippet: "Read exact text of a section or span of a page of the user's Obsidian wiki",
  parameters,
  outputSchema: answerSchema("read", payloadSchema),
  annotations: READ_ONLY,
  asked: (args) => oneLine(`${args.page ?? ""} ${selection(args)}`),
  headline(payload) {
    const reading = payload as Reading;
    const length = count([...reading.text].length, "character");
    return `${lines(reading)}, ${length}${reading.truncated ? ", more follows" : ""}${leftOut(reading)}`;
  },
  words(payload) {
    const reading = payload as Reading;
    const head = `${oneLine(reading.page)}  ${lines(reading)}, characters ${grouped(reading.start)}–${grouped(reading.end)}${leftOut(reading)}`;
    const more = reading.truncated ? ["", `… more follows, cursor ${reading.cursor}`] : [];
    return [head, "", printable(reading.text).trimEnd(), ...more].join("\n");
  },
  smaller(_args, payload, fits) {
    const reading = payload as Reading;
    const characters = [...reading.text];
    const maxChars = greatest(characters.length, (most) => fits(cut(reading, characters, most)));
    if (maxChars > 0) return { maxChars };
    // What was left out is listed whole with every piece, so only the page as it is can be shorter.
    return reading.elided ? { view: "raw" } : null;
  },
};

function cut(reading: Reading, characters: string[], most: number): Payload {
  return { ...reading, text: characters.slice(0, most).join(""), truncated: true, cursor: LONG_CURSOR };
}

function selection({ section, start, end, cursor }: Payload): string {
  if (cursor !== undefined) return "(continued)";
  if (section !== undefined) return `§ ${section}`;
  return start === undefined && end === undefined ? "" : `[${start ?? "?"}, ${end ?? "?"})`;
}

function lines({ lineStart, lineEnd }: Reading): string {
  return lineStart === lineEnd ? `line ${grouped(lineStart)}` : `lines ${grouped(lineStart)}–${grouped(lineEnd)}`;
}

function leftOut({ elided }: Reading): string {
  return elided?.length ? `, ${count(elided.length, "passage")} no longer in force left out` : "";
}
