// Headings against the reference parser of CommonMark: on every real page, on the fixtures, and on random text.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Node, Parser } from "commonmark";
import { describe, expect, test } from "vitest";
import { NATIVE_PYTHON } from "../helpers/native.ts";
import { pick, seeded } from "../helpers/random.ts";
import { JUDGED_COLLECTIONS, REAL_VAULTS, realVault } from "../helpers/vaults.ts";

const packageRoot = fileURLToPath(new URL("../../", import.meta.url));

/** Level, first line, last line, text. */
type Heading = [number, number, number, string];

// Pages whose headings differ, with the headings that CommonMark alone sees. The reason is the same for all: an Excalidraw
// page keeps its drawing between Obsidian's comment marks (%%), and what is in a comment is no heading in Obsidian. Everything
// else that differs by intent is taken off before comparing: the frontmatter, and headings in quotes and list items, which
// Obsidian's outline leaves out.
const EXCEPTIONS: Record<string, Record<string, string[]>> = {
  "garden-zh": {
    "wiki/Atlas/Draws/README 中的头图 - 图.md": ["1 Drawing"],
    "wiki/Atlas/Draws/数字时代如何更好地工作与生活 - 图.md": ["1 Drawing"],
    "wiki/Atlas/Draws/白板 2023-03-11.md": ["1 Drawing"],
    "wiki/Extras/Draws/白板 2023-08-01.md": ["1 Drawing"],
    "wiki/Extras/Draws/白板 2023-08-04.md": ["1 Drawing"],
    "wiki/Extras/Draws/白板 2023-08-05.md": ["1 Drawing"],
    "wiki/Extras/Draws/白板 2023-08-09.md": ["1 Drawing"],
  },
};

describe.skipIf(!NATIVE_PYTHON)("headings equal those of CommonMark", () => {
  for (const name of [...REAL_VAULTS, ...JUDGED_COLLECTIONS.map((judged) => `judged/${judged}` as const)]) {
    const vault = realVault(name);
    test.skipIf(!vault)(`on every page of ${name}, but for the exceptions`, () => {
      const pages = pagesOf(vault!);
      expect(pages.length).toBeGreaterThan(50);
      const found = ours(pages.map((page) => ({ file: join(vault!, page) })));
      const differing: Record<string, string[]> = {};
      for (const [at, page] of pages.entries()) {
        const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(readFileSync(join(vault!, page)));
        const [missing, extra] = differences(theirs(text), found[at]!);
        expect(extra, page).toEqual([]);
        if (missing.length > 0) differing[page] = missing.map(([level, , , title]) => `${level} ${title}`);
      }
      expect(differing).toEqual(EXCEPTIONS[name] ?? {});
    });
  }

  test("on the fixtures, Obsidian's comments apart", () => {
    const cases = ["headings.txt", "containers.txt", "hidden.txt"]
      .flatMap(fixtures)
      .filter((text) => !text.includes("%%"));
    expect(cases.length).toBeGreaterThan(30);
    const found = ours(cases.map((text) => ({ text })));
    for (const [at, text] of cases.entries()) expect(found[at]!.map(place), text).toEqual(theirs(text).map(place));
  });

  test("on random text", () => {
    const random = seeded(20260517);
    const texts = Array.from({ length: 20_000 }, () => randomText(random));
    const found = ours(texts.map((text) => ({ text })));
    let headings = 0;
    for (const [at, text] of texts.entries()) {
      const expected = theirs(text).map(place);
      headings += expected.length;
      expect(found[at]!.map(place), JSON.stringify(text)).toEqual(expected);
    }
    expect(headings).toBeGreaterThan(2_000);
  });
});

function pagesOf(vault: string): string[] {
  const entries = readdirSync(join(vault, "wiki"), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && /\.md$/i.test(entry.name));
  return files.map((entry) => join(entry.parentPath, entry.name).slice(vault.length + 1)).sort();
}

function ours(asked: ({ file: string } | { text: string })[]): Heading[][] {
  const output = execFileSync(NATIVE_PYTHON!, [join(packageRoot, "test/helpers/headings.py")], {
    input: asked.map((one) => `${JSON.stringify(one)}\n`).join(""),
    env: { ...process.env, PYTHONPATH: join(packageRoot, "py"), PYTHONDONTWRITEBYTECODE: "1", PYTHONUTF8: "1" },
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
  });
  return output
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Heading[]);
}

const FRONTMATTER = /^\uFEFF?(?:---[ \t]*\n(?:[\s\S]*?\n)??---[ \t]*(?:\n|$))?/;

/** The headings of the document behind its frontmatter. A new parser each: a used one keeps something of the last text. */
function theirs(text: string): Heading[] {
  const lines = text.replace(/\r\n?/g, "\n");
  const head = FRONTMATTER.exec(lines)?.[0] ?? "";
  const skipped = head.split("\n").length - 1;
  const document = new Parser().parse(lines.slice(head.length));
  const found: Heading[] = [];
  for (let node = document.firstChild; node; node = node.next) {
    if (node.type !== "heading") continue;
    found.push([node.level, node.sourcepos[0][0] + skipped, node.sourcepos[1][0] + skipped, plainText(node)]);
  }
  return found;
}

/** In the first what is not in the second, and the other way round. Titles of the second are Markdown, so they are read too. */
function differences(reference: Heading[], found: Heading[]): [Heading[], Heading[]] {
  const read = found.map(([level, first, last, title]): Heading => {
    const heading = new Parser().parse(`# ${title.replace(/^#/, "\\#")}`).firstChild;
    return [level, first, last, heading ? plainText(heading) : ""];
  });
  const without = (some: Heading[], others: Heading[]) => {
    const known = new Set(others.map((heading) => JSON.stringify(heading)));
    return some.filter((heading) => !known.has(JSON.stringify(heading)));
  };
  return [without(reference, read), without(read, reference)];
}

/** The reference keeps link definitions within a heading's place, so only where a heading ends is compared. */
function place([level, , last]: Heading): number[] {
  return [level, last];
}

function plainText(heading: Node): string {
  let text = "";
  const walker = heading.walker();
  for (let event = walker.next(); event; event = walker.next()) {
    if (!event.entering || event.node === heading) continue;
    text += /break$/.test(event.node.type) ? " " : (event.node.literal ?? "");
  }
  return text;
}

function fixtures(name: string): string[] {
  const lines = readFileSync(join(packageRoot, "fixtures/markdown", name), "utf8").split("\n");
  const texts: string[] = [];
  for (let at = lines.indexOf("."); at >= 0; at = lines.indexOf(".", at)) {
    const middle = lines.indexOf(".", at + 1);
    const text = lines
      .slice(at + 1, middle)
      .map((line) => `${line}\n`)
      .join("");
    texts.push(text.replaceAll("→", "\t").replaceAll("␠", " ").replaceAll("␍\n", "\r\n").replaceAll("␍", "\r"));
    at = lines.indexOf(".", middle + 1) + 1;
  }
  return texts;
}

const PIECES = [
  ..."# |## |#|######|####### |a|b c|\t| |  |   |    |- |-|* |*|+ |1. |2. |10) |1)|> |>|```|````|~~~|``` x`".split("|"),
  ..."---|===|-|=|- - -|***|___|<!--|-->|<div>|</div>|<pre>|</pre>|<b>|</b>|<b a='c'>|<?|?>|<!X|<![CDATA[|]]>".split(
    "|",
  ),
  ..."[a]: b|[a]:|'t'|\"t|(t)|[a]: <b c>|[x]: y 'z'|\\#| #| ##|text|é|\f|\u0085".split("|"),
];
const LINE_ENDS = ["\n", "\n", "\n", "\n\n", "\n\n", "\r\n", "\r", "\r\n\r\n", "\n \n", "\n\t\n"];

/** Pieces that Markdown gives a meaning, in any order. */
function randomText(random: () => number): string {
  const length = 2 + Math.floor(random() * 24);
  return Array.from({ length }, () => pick(random, random() < 0.62 ? PIECES : LINE_ENDS)).join("");
}
