// Which vault a call is about, for every case of the table that Python's side is held to as well.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { missingHint, pageName } from "../../../src/host/locations.ts";
import { selectVault } from "../../../src/host/select.ts";
import { shownName } from "../../../src/host/shown-name.ts";
import { projectRoot } from "../../helpers/garden.ts";

interface Case {
  name: string;
  platform: "posix" | "nt";
  input?: unknown;
  environment?: Record<string, string>;
  options?: { config?: string; wiki?: string };
  files?: Record<string, string>;
  unreadable?: string[];
  expect: { vault: string; source: string; wiki: string } | { code: string };
  opened: string[];
  configError: boolean;
}

const table = JSON.parse(readFileSync(join(projectRoot, "fixtures/selection.json"), "utf8")) as {
  places: Record<Case["platform"], { cwd: string; home: string }>;
  cases: Case[];
};

async function ask(row: Case, operation = "search") {
  const opened: string[] = [];
  const selection = await selectVault({
    ...table.places[row.platform],
    platform: row.platform === "nt" ? "win32" : "linux",
    env: row.environment ?? {},
    config: row.options?.config,
    wikiPath: row.options?.wiki,
    operation,
    input: row.input,
    readFile: async (path) => {
      opened.push(path);
      if (row.unreadable?.includes(path)) {
        throw Object.assign(new Error(`EACCES: permission denied, open '${path}'`), { code: "EACCES" });
      }
      const text = row.files?.[path];
      return text === undefined ? null : Buffer.from(text);
    },
  });
  return { selection, opened };
}

test("the table holds every combination", () => {
  expect(table.cases.length).toBeGreaterThanOrEqual(250);
});

describe.each(table.cases)("$name", (row) => {
  test("selects what the table says, and opens no other file", async () => {
    const { selection, opened } = await ask(row);
    const { vault, source, wiki, error } = selection;
    expect(error ? { code: error.code } : { vault, source, wiki }).toEqual(row.expect);
    for (const path of opened) expect(row.opened).toContain(path);
    if (error) {
      expect(error.message).toMatch(/\.$/);
      expect([...error.message].length).toBeLessThanOrEqual(500);
    }
  });

  test("doctor hears whether the configuration is malformed", async () => {
    const { config } = (await ask(row, "doctor")).selection;
    expect(config!.error !== null).toBe(row.configError);
    expect(config!.valid).toBe(!row.configError);
  });
});

const around = { cwd: "/work/here", home: "/home/ann", platform: "linux", operation: "search" } as const;
const nothing = async () => null;

test("what the library was opened with counts like an input, and may be relative", async () => {
  const selection = await selectVault({ ...around, env: {}, input: undefined, vault: "v/", readFile: nothing });
  expect(selection).toMatchObject({ vault: "/work/here/v", source: "input", error: null });
  const other = await selectVault({ ...around, env: {}, input: "/data/v", vault: "v/", readFile: nothing });
  expect(other.vault).toBe("/data/v");
});

test("doctor reports a configuration path that is none, whatever selects the vault", async () => {
  const env = { OBSIDIAN_AGENT_CONFIG: "/data/\u0007" };
  const selection = await selectVault({ ...around, operation: "doctor", env, input: "/v", readFile: nothing });
  expect(selection).toMatchObject({ vault: "/v", error: null, config: { path: null, valid: false } });
  expect(selection.config!.error).toContain("control character");
});

test("a malformed configuration is told with its line", async () => {
  const readFile = async () => Buffer.from('{\n  "vaultPath": "/v",\n  "features": {,}\n}');
  const { error } = await selectVault({ ...around, env: {}, input: undefined, readFile });
  expect(error!.message).toContain("Not JSON: Expecting property name enclosed in double quotes (line 3, column 16).");
});

test("what failed outside our own rules still becomes a sentence", async () => {
  const readFile = async () => {
    throw Object.assign(new Error("EMFILE: too many open files, open '/x'"), { code: "EMFILE" });
  };
  const { error } = await selectVault({ ...around, env: {}, input: undefined, readFile });
  expect(error).toMatchObject({ code: "config-invalid", message: expect.stringContaining("cannot be read: EMFILE") });
});

test.each([
  ["/Users/me/Library/Mobile\\ Documents/x", "backslash"],
  ["/work/$HOME/x", "shell"],
  ["C:\\%USERPROFILE%\\x", "shell"],
  ['/data/v"', "quotation marks"],
  ["/data/My Vault (2)", ""],
])("the hint for a missing %s", (path, part) => {
  expect(missingHint(path)).toContain(part);
  if (part === "") expect(missingHint(path)).toBe("");
});

test("a name is shown on one line, with what could mislead made visible", () => {
  expect(shownName("a\nb\u202ec\ud800")).toBe("a\\u000ab\\u202ec\\ud800");
  expect(shownName("می\u200cخواهم 🇩🇪")).toBe("می\u200cخواهم 🇩🇪");
  expect([...shownName("😀".repeat(300))].length).toBe(200);
});

test("a page's back slashes are separators on Windows, and letters of its name elsewhere", () => {
  expect(pageName("wiki\\a/b.md", true)).toBe("wiki/a/b.md");
  expect(pageName("wiki\\a/b.md", false)).toBe("wiki\\a/b.md");
  expect(pageName(5, true)).toBe(5);
});
