// An answer in words for a terminal: the tools' own wordings, and one for the command that is no tool.
import type { Success } from "../shared/envelope.ts";
import { TOOLS } from "../tools/catalog.ts";
import { count, facts, oneLine, size } from "../tools/render.ts";
import type { IndexFile, Meaning } from "./write-index.ts";

export function answerWords({ operation, payload }: Success): string {
  const tool = TOOLS.find((one) => one.operation === operation);
  return tool ? tool.words(payload) : indexWords(payload as unknown as Built);
}

interface Built {
  pages: number;
  terms: number;
  files: IndexFile[];
  skipped: Record<string, number>;
  unread: { page: string; reason: string }[];
  unseen: string[];
  semantic?: Meaning;
}

function indexWords({ pages, terms, files, skipped, unread, unseen, semantic }: Built): string {
  const written = files.map(({ name, bytes }) => [oneLine(name), size(bytes)] as const);
  const left = Object.entries(skipped).map(([reason, pages]) => `left out: ${count(pages, "file")} (${reason})`);
  const troubles = [...unread.map(({ page, reason }) => `${page}: ${reason}`), ...unseen];
  return [
    `Indexed ${count(pages, "page")}, ${count(terms, "word")}. Written into .vault-meta/retrieval/:`,
    facts(written),
    ...left,
    ...troubles.map((trouble) => `not read: ${oneLine(trouble)}`),
    ...(semantic ? meaningWords(semantic) : []),
  ].join("\n");
}

function meaningWords(meaning: Meaning): string[] {
  const { pages, chunks, model, kept, embedded, pending, deferred, deferredCount, error } = meaning;
  const made =
    model === null ? [] : [`Meaning of ${count(pages, "page")} in ${count(chunks, "chunk")}, by ${oneLine(model)}.`];
  const rest = deferredCount - deferred.length;
  return [
    ...made,
    facts([
      ["asked anew", count(embedded, "page")],
      ["unchanged", count(kept, "page")],
      ...(pending > 0 ? ([["still to do", `${count(pending, "page")}; run the command again`]] as const) : []),
    ]),
    ...deferred.map(({ page, reason }) => `put off: ${oneLine(page)}: ${oneLine(reason)}`),
    ...(rest > 0 ? [`put off: ${count(rest, "more page")}`] : []),
    ...(error === null ? [] : [`Meaning stopped: ${oneLine(error)}`]),
  ];
}
