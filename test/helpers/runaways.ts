// What a call can meet that never ends, takes everything or breaks, each with how the call has to end.
import { execFileSync } from "node:child_process";
import { accessSync, constants, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Operation, Payload } from "../../src/shared/envelope.ts";
import type { ErrorCode } from "../../src/shared/errors.ts";
import { type TempFolder, tempFolder } from "./garden.ts";

export interface Runaway {
  /** Python in place of a search, in an ordinary vault; or what a vault holds beside `wiki/other.md`. */
  python?: string;
  vault?: (wiki: string) => void;
  /** What is asked where it is not a search for "tomato". */
  call?: [Operation, Payload];
  deadlineMs: number;
  ends: ErrorCode | "ok";
  says?: RegExp;
}

const never = (python: string): Runaway => ({ python, deadlineMs: 1_000, ends: "deadline" });
const breaks = (python: string, says: RegExp): Runaway => ({
  python,
  deadlineMs: 10_000,
  ends: "sandbox-failed",
  says,
});

const PYTHON: Record<string, Runaway> = {
  "an endless loop": never("while True: pass"),
  "an endless loop that swallows interrupts": never(
    "while True:\n  try:\n    while True: pass\n  except BaseException: pass",
  ),
  "an endless loop in C": never("sum(range(10**12))"),
  "a catastrophic regular expression": never('import re; re.match(r"(a+)+$", "a" * 64 + "b")'),
  "a host request that never answers": never('surroundings.ask({"kind": "never"})'),
  "endless output": never('import sys\nwhile True: print("x" * 10_000); print("x" * 10_000, file=sys.stderr)'),
  "endless progress": never(writes("progress", "b'1 2 of many'")),
  "files without end": never(writes("out", "bytes(2**20)")),
  "an answer without end": {
    python: writes("res", "bytes(2**16)"),
    deadlineMs: 10_000,
    ends: "output-limit",
    says: /larger than 256 KiB/,
  },
  "an answer of 1 MB": {
    python: 'payload = {"text": "x" * 2**20}',
    deadlineMs: 10_000,
    ends: "output-limit",
    says: /1,048,\d+ bytes/,
  },
  "deep recursion": breaks("def deeper(): return deeper() + 1\ndeeper()", /RecursionError/),
  "deep recursion in C": breaks("nested = []\nfor _ in range(10**5): nested = [nested]\nrepr(nested)", /./),
  "an allocation of 2 GB": breaks("bytearray(2**31 - 2**16)", /MemoryError/),
  "2 GB bit by bit": breaks("held = []\nfor _ in range(2**31 // 2**22): held.append(bytearray(2**22))", /MemoryError/),
  "an exception in the worker": breaks("# throw in the worker", /thread ended by itself \(exit 70\)/),
  "exit of the worker": breaks("# exit in the worker", /thread ended by itself \(exit 3\)/),
  "exit of Python": breaks("import sys; sys.exit(3)", /without an answer/),
  "abort in WebAssembly": breaks("import os; os.abort()", /Python crashed/),
  "a trap in WebAssembly": breaks("import ctypes; ctypes.string_at(0xfffffff0, 100)", /Python crashed/),
};

function writes(device: string, what: string): string {
  return `import os\ndevice = os.open("/dev/wiki_${device}", os.O_WRONLY)\nwhile True: os.write(device, ${what})`;
}

const bomb = (frontmatter: string): Runaway => ({
  vault: (wiki) => writeFileSync(join(wiki, "bomb.md"), `---\n${frontmatter}\n---\n# Bomb\n\nA tomato.\n`),
  deadlineMs: 5_000,
  ends: "ok",
  says: /"wiki\/bomb\.md"/,
});
const lines = (count: number, line: (at: number) => string) => Array.from({ length: count }, (_, at) => line(at));
const huge = (wiki: string) => writeFileSync(join(wiki, "huge.md"), Buffer.alloc(64 * 2 ** 20, "A tomato. "));

const VAULTS: Record<string, Runaway> = {
  "a page of 64 MB in the vault": {
    vault: huge,
    deadlineMs: 5_000,
    ends: "ok",
    says: /^(?!.*wiki\/huge).*"wiki\/other\.md"/,
  },
  "a page of 64 MB asked for by name": {
    vault: huge,
    call: ["outline", { page: "wiki/huge.md" }],
    deadlineMs: 5_000,
    ends: "page-refused",
    says: /"refusal":"too-large"/,
  },
  "a vault of 200,000 pages": { vault: manyPages, deadlineMs: 1_500, ends: "deadline" },
  "frontmatter with a billion laughs": bomb(
    `a0: &a0 [ha, ha]\n${lines(30, (at) => `a${at + 1}: &a${at + 1} [${`*a${at}, `.repeat(9)}]`).join("\n")}`,
  ),
  "frontmatter with brackets 50,000 deep": bomb(`a: ${"[".repeat(50_000)}${"]".repeat(50_000)}`),
  "frontmatter with braces that stay open": bomb(`a: ${"{a: ".repeat(15_000)}`),
  "frontmatter indented 300 deep": bomb(lines(300, (at) => `${" ".repeat(at)}a:`).join("\n")),
  "frontmatter of lists 20,000 deep": bomb(`a:\n${" - ".repeat(20_000)}x`),
  "frontmatter of 1 MB in one value": bomb(`a: ${"x".repeat(2 ** 20)}`),
  "frontmatter of 1 MB of lines": bomb("a: x\n".repeat(200_000)),
  "frontmatter with 5,000 keys": bomb(lines(5_000, (at) => `key${at}: value`).join("\n")),
  "frontmatter with one key 21,000 times": bomb("k:\n".repeat(21_000)),
  "frontmatter of question marks": bomb("? ".repeat(30_000)),
};

export const RUNAWAYS = Object.entries({ ...PYTHON, ...VAULTS });

/** All but one in a hundred are empty: what is tried is the number of files. */
function manyPages(wiki: string): void {
  for (let folder = 0; folder < 1_000; folder++) {
    mkdirSync(join(wiki, `${folder}`));
    for (let page = 0; page < 200; page++) {
      writeFileSync(join(wiki, `${folder}/${page}.md`), page % 100 === 0 ? "# Page\n\nA tomato.\n" : "");
    }
  }
}

const MEMORY = "/dev/shm"; // on Linux a file system in memory, where many files cost seconds and not minutes

export function runawayVault(fill: (wiki: string) => void): TempFolder {
  const folder = fill === manyPages && isWritable(MEMORY) ? folderIn(MEMORY) : tempFolder("runaway-");
  const wiki = join(folder.path, "wiki");
  mkdirSync(wiki);
  writeFileSync(join(wiki, "other.md"), "# Other\n\nAnother tomato.\n");
  fill(wiki);
  return folder;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function folderIn(parent: string): TempFolder {
  const path = mkdtempSync(join(parent, "pi-wiki-"));
  return { path, [Symbol.dispose]: () => void execFileSync("rm", ["-rf", path]) };
}
