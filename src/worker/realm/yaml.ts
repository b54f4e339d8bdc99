// Frontmatter inside the realm: the `yaml` package reads a bounded text, and gives back JSON text in which every scalar
// is the text it was written as (`012`, `yes`, `12:30`, dates).
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from "yaml";

const TEXT_MAX_CHARS = 64 * 1024; // limits.FRONTMATTER_MAX_CHARS; beyond it a block is data, not a page's head
const DEPTH_MAX = 32; // deeper than anybody writes by hand
const NODES_MAX = 20_000;

const encoder = () => new TextEncoder();
const decoder = () => new TextDecoder();

/** `{"ok":true,"value":"<JSON text>"}` or `{"ok":false,"error":"a sentence with the line"}`, as bytes. */
export function yamlAnswer(question: Uint8Array): Uint8Array {
  let answer: { ok: true; value: string } | { ok: false; error: string };
  try {
    answer = { ok: true, value: mappingAsJson(decoder().decode(question)) };
  } catch (error) {
    answer = { ok: false, error: error instanceof Error ? error.message : "the frontmatter cannot be read" };
  }
  return encoder().encode(JSON.stringify(answer));
}

export function mappingAsJson(text: string): string {
  if (text.length > TEXT_MAX_CHARS) throw new Error(`the frontmatter is longer than ${TEXT_MAX_CHARS} characters`);
  boundNesting(text);
  const lines = new LineCounter();
  const document = parseDocument(text, {
    schema: "failsafe",
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: false, // the last one counts
    logLevel: "silent",
  });
  const fault = document.errors[0];
  if (fault) throw new Error(`line ${lines.linePos(fault.pos[0]).line}: ${fault.message}`);
  if (document.contents === null) return "{}";
  if (!isMap(document.contents)) throw new Error("the frontmatter is not a list of `key: value` lines");
  let nodes = 0;
  const plain = (node: unknown, depth: number): unknown => {
    if (depth > DEPTH_MAX) throw new Error(`the frontmatter nests deeper than ${DEPTH_MAX} levels`);
    if (++nodes > NODES_MAX) throw new Error(`the frontmatter has more than ${NODES_MAX} values`);
    if (isAlias(node)) throw new Error("the frontmatter uses an alias (*name), which is not supported");
    if (isSeq(node)) return node.items.map((item) => plain(item, depth + 1));
    if (isMap(node)) {
      const entries: [string, unknown][] = [];
      for (const { key, value } of node.items) {
        const name = plain(key, depth + 1);
        if (typeof name !== "string") throw new Error("the frontmatter has a key that is not text");
        entries.push([name, plain(value, depth + 1)]);
      }
      return Object.fromEntries(entries);
    }
    return isScalar(node) ? scalarText(node.value) : "";
  };
  return JSON.stringify(plain(document.contents, 0));
}

function scalarText(value: unknown): string {
  return typeof value === "string" ? value : value === null || value === undefined ? "" : String(value);
}

/** Refuses text whose brackets or indentation nest so deeply that a recursive reader would run out of stack. */
function boundNesting(text: string): void {
  let depth = 0;
  for (const character of text) {
    if (character === "[" || character === "{") depth++;
    else if (character === "]" || character === "}") depth = Math.max(0, depth - 1);
    if (depth > DEPTH_MAX) throw new Error(`the frontmatter nests deeper than ${DEPTH_MAX} levels`);
  }
}
