// Git's ignore rules, as `gitignore(5)` and Git's own wildmatch have them, for a few short paths. Pure, and bounded: a
// rule is text out of somebody's repository, and none can make matching slow.
//
// Texts are byte strings (latin1), because Git matches bytes: a question mark takes one byte of a letter.

export interface Rule {
  negative: boolean;
  foldersOnly: boolean;
  /** Matched against the last name only; else against the path below the file that holds the rule. */
  nameOnly: boolean;
  pattern: string;
}

const PATTERN_MAX_BYTES = 1_000; // no path that is asked about is nearly as long

/** Rules of one file, in order; the last that matches counts. */
export function parseRules(text: string): Rule[] {
  const lines = text.replace(/^\xef\xbb\xbf/, "").split("\n");
  return lines.flatMap((line) => parseRule(line.endsWith("\r") ? line.slice(0, -1) : line) ?? []);
}

function parseRule(line: string): Rule | null {
  if (line.startsWith("#")) return null;
  let pattern = withoutTrailingSpaces(line);
  const negative = pattern.startsWith("!");
  if (negative) pattern = pattern.slice(1);
  const foldersOnly = pattern.endsWith("/");
  if (foldersOnly) pattern = pattern.slice(0, -1);
  if (pattern === "" || pattern.length > PATTERN_MAX_BYTES) return null;
  const nameOnly = !pattern.includes("/");
  return { negative, foldersOnly, nameOnly, pattern: pattern.startsWith("/") ? pattern.slice(1) : pattern };
}

/** Spaces at the end do not count, save one behind a backslash. */
function withoutTrailingSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === " ") end--;
  let backslashes = 0;
  while (line[end - 1 - backslashes] === "\\") backslashes++;
  return backslashes % 2 === 1 && end < line.length ? line.slice(0, end + 1) : line.slice(0, end);
}

export interface Matching {
  foldCase: boolean;
  /** Steps left for all rules together; `TooManyRules` is thrown when they are used up. */
  steps: number;
}

export class TooManyRules extends Error {}

/** What the rules of one file say about a path below it: true ignored, false not ignored, null nothing. */
export function verdictOf(rules: readonly Rule[], path: string, isFolder: boolean, matching: Matching): boolean | null {
  const fold = (text: string) => (matching.foldCase ? text.replace(/[A-Z]+/g, (upper) => upper.toLowerCase()) : text);
  const whole = fold(path);
  const name = whole.slice(whole.lastIndexOf("/") + 1);
  for (let i = rules.length - 1; i >= 0; i--) {
    const rule = rules[i]!;
    if (rule.foldersOnly && !isFolder) continue;
    if (matches(fold(rule.pattern), rule.nameOnly ? name : whole, matching)) return !rule.negative;
  }
  return null;
}

/** Git's wildmatch with WM_PATHNAME: `*`, `?` and classes stay within a name, `**` between slashes does not. */
function matches(pattern: string, text: string, matching: Matching): boolean {
  const failed = new Set<number>(); // positions in both that were tried: without it, stars multiply
  const from = (p: number, t: number): boolean => {
    for (;;) {
      if (--matching.steps < 0) throw new TooManyRules();
      if (p === pattern.length) return t === text.length;
      const wanted = pattern[p]!;
      if (wanted === "*") break;
      const here = text[t];
      if (here === undefined) return false;
      if (wanted === "?") {
        if (here === "/") return false;
        p++;
      } else if (wanted === "[") {
        const end = classEnd(pattern, p, here);
        if (end < 0 || here === "/") return false;
        p = end;
      } else {
        if (wanted === "\\") p++;
        if (pattern[p] !== here) return false;
        p++;
      }
      t++;
    }
    const key = p * (text.length + 1) + t;
    if (failed.has(key)) return false;
    failed.add(key);
    return star(p, t);
  };
  const star = (p: number, t: number): boolean => {
    let end = p;
    while (pattern[end] === "*") end++;
    const stars = end - p;
    const opens = p === 0 || pattern[p - 1] === "/";
    const slashNext = pattern[end] === "/" || (pattern[end] === "\\" && pattern[end + 1] === "/");
    const crossing = stars >= 2 && opens && (end === pattern.length || slashNext);
    if (crossing && pattern[end] === "/" && from(end + 1, t)) return true; // no folder at all
    if (end === pattern.length) return crossing || !text.includes("/", t);
    for (let at = t; at <= text.length; at++) {
      if (from(end, at)) return true;
      if (text[at] === "/" && !crossing) return false;
    }
    return false;
  };
  return from(0, 0);
}

const NAMED: Record<string, RegExp> = {
  alnum: /[A-Za-z0-9]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what [:cntrl:] names
  cntrl: /[\x00-\x1f\x7f]/,
  digit: /\d/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t-\r]/,
  upper: /[A-Z]/,
  xdigit: /[A-Fa-f0-9]/,
};

/** The position after a class that takes this character; -1 when it does not, or is none. */
function classEnd(pattern: string, start: number, character: string): number {
  let p = start + 1;
  const negated = pattern[p] === "!" || pattern[p] === "^";
  if (negated) p++;
  let taken = false;
  let previous = "";
  for (let first = true; first || pattern[p] !== "]"; first = false) {
    let low = pattern[p];
    if (low === undefined) return -1;
    const name = low === "[" && pattern[p + 1] === ":" ? /^\[:([^\]]*):\]/.exec(pattern.slice(p))?.[1] : undefined;
    if (name !== undefined) {
      if (!(name in NAMED)) return -1;
      if (NAMED[name]!.test(character)) taken = true;
      previous = "";
      p += name.length + 4;
      continue;
    }
    if (low === "-" && previous !== "" && pattern[p + 1] !== undefined && pattern[p + 1] !== "]") {
      p++;
      if (pattern[p] === "\\") p++;
      const high = pattern[p];
      if (high === undefined) return -1;
      if (character >= previous && character <= high) taken = true;
      previous = "";
    } else {
      if (low === "\\") low = pattern[++p];
      if (low === undefined) return -1;
      if (low === character) taken = true;
      previous = low;
    }
    p++;
  }
  return taken === negated ? -1 : p + 1;
}
