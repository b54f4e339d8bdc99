// Where a JSON text goes wrong, in the words of Python's parser, so that a person finds the line and doctor says the same
// thing natively and here. Node's own messages change from version to version and not all of them give a place.

/** "Expecting value (line 3, column 5)", or null for a text that is JSON after all. */
export function jsonFault(text: string): string | null {
  try {
    const end = value(text, blank(text, 0));
    const rest = blank(text, end);
    if (rest < text.length) throw new Fault("Extra data", rest);
    return null;
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown.in(text);
    throw thrown;
  }
}

/** True when some beginning of the text opens more than `most` brackets outside strings. */
export function isNestedDeeper(text: string, most: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = stringEnd(text, at);
    else if (character === "[" || character === "{") depth++;
    else if (character === "]" || character === "}") depth--;
    if (depth > most) return true;
  }
  return false;
}

function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}

class Fault {
  readonly #what: string;
  readonly #at: number | undefined;

  constructor(what: string, at?: number) {
    this.#what = what;
    this.#at = at;
  }

  in(text: string): string {
    if (this.#at === undefined) return this.#what;
    const before = text.slice(0, this.#at);
    const line = before.split("\n").length;
    const column = [...before.slice(before.lastIndexOf("\n") + 1)].length + 1;
    return `${this.#what} (line ${line}, column ${column})`;
  }
}

const BLANK = /[ \t\n\r]*/y;
const SCALAR = /null|true|false|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them inside strings
const STRING_RUN = /[^"\\\x00-\x1f]*/y;

function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

function blank(text: string, at: number): number {
  return matchEnd(BLANK, text, at);
}

/** Each of these gives the position after what it read. Depth is bounded before they are called. */
function value(text: string, at: number): number {
  if (text[at] === '"') return string(text, at);
  if (text[at] === "{") return list(text, at, "}", member);
  if (text[at] === "[") return list(text, at, "]", value);
  const end = matchEnd(SCALAR, text, at);
  if (end >= 0) return end;
  const constant = /^(?:NaN|-?Infinity)/.exec(text.slice(at, at + 9));
  throw constant ? new Fault(`${constant[0]} is not a JSON number`) : new Fault("Expecting value", at);
}

function member(text: string, at: number): number {
  if (text[at] !== '"') throw new Fault("Expecting property name enclosed in double quotes", at);
  const colon = blank(text, string(text, at));
  if (text[colon] !== ":") throw new Fault("Expecting ':' delimiter", colon);
  return value(text, blank(text, colon + 1));
}

function list(text: string, start: number, close: string, item: (text: string, at: number) => number): number {
  let at = blank(text, start + 1);
  if (text[at] === close) return at + 1;
  for (;;) {
    at = blank(text, item(text, at));
    if (text[at] === close) return at + 1;
    if (text[at] !== ",") throw new Fault("Expecting ',' delimiter", at);
    at = blank(text, at + 1);
  }
}

function string(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    at = matchEnd(STRING_RUN, text, at);
    if (at >= text.length) throw new Fault("Unterminated string starting at", start);
    if (text[at] === '"') return at + 1;
    if (text[at] !== "\\") throw new Fault("Invalid control character at", at);
    if (at + 1 >= text.length) throw new Fault("Unterminated string starting at", start);
    if (text[at + 1] === "u") {
      if (!/^[0-9a-fA-F]{4}/.test(text.slice(at + 2, at + 6))) throw new Fault("Invalid \\uXXXX escape", at + 1);
      at += 6;
    } else {
      if (!'"\\/bfnrt'.includes(text[at + 1]!)) throw new Fault("Invalid \\escape", at);
      at += 2;
    }
  }
}
