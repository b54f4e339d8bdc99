// The built package under Windows' rules: drive letters, back slashes, shares, long paths, in every input that takes a
// path. What takes one Node and few sandboxes is asked through the library, the rest of the command line.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Envelope, Operation, Payload } from "../../src/shared/envelope.ts";
import { projectRoot } from "../helpers/garden.ts";
import { pageThatTakesLong } from "../helpers/large-vault.ts";
import { type Picture, picture } from "../helpers/untouched.ts";
import { Windows } from "../helpers/wine.ts";
import { ACCENTED, COFFEE, DEEP_VAULT, FAR_DOWN, HOME, hashOf, makeVault, VAULT } from "./vault.ts";

const windows = await Windows.open();
afterAll(() => windows?.close());

const arabica: [Operation, Payload] = ["search", { query: "arabica" }];

/** The same vault in other words. */
const SPELLINGS: Record<string, string> = {
  "forward slashes": VAULT.replaceAll("\\", "/"),
  "a small drive letter": VAULT.replace("C:", "c:"),
  "a back slash at the end": `${VAULT}\\`,
  "a detour": `${HOME}\\Other\\..\\.\\My Vault é`,
  "another letter's case in a folder": VAULT.replace("People", "PEOPLE"),
  "a drive of its own": "V:\\",
  "a drive of its own, with a slash": "v:/",
  "the long form": `\\\\?\\${VAULT}`,
  "the device form": `\\\\.\\${VAULT}`,
};

const NO_VAULTS: Record<string, string> = {
  "\\\\server\\share\\Notes": "vault-missing",
  "//server/share/Notes": "vault-missing",
  "C:\\People\\Ada\\None": "vault-missing",
  "C:People\\Ada\\My Vault é": "invalid-input",
  "\\People\\Ada\\My Vault é": "invalid-input",
  "My Vault é": "invalid-input",
};

const REFUSED = [
  "..\\outside.md",
  "wiki\\..\\..\\outside.md",
  `${HOME}\\outside.md`,
  "C:wiki\\topic\\coffee.md",
  "\\\\?\\C:\\Windows\\win.ini",
  "\\\\server\\share\\page.md",
  "wiki\\topic\\COFFEE.md",
  "wiki\\TOPIC\\coffee.md",
  "wiki\\topic\\coffee.md.",
  "wiki\\topic\\coffee.md ",
  "wiki\\topic\\coffee.md::$DATA",
  "wiki\\topic\\coffee.md:stream.md",
  "wiki\\con.md",
  "wiki\\nul",
];

describe.skipIf(!windows)("the library under Windows' rules", () => {
  const answers: Record<string, Envelope[]> = {};
  let vaultHere: string;
  let before: Picture;
  let after: Picture;

  beforeAll(() => {
    vaultHere = makeVault(windows!);
    const here = join(vaultHere, "..");
    const share = `\\\\?\\unix${vaultHere.replaceAll("/", "\\")}`; // how Wine names a folder that lies on no drive
    const expectedHash = hashOf(vaultHere, COFFEE);
    const named = [VAULT, ...Object.values(SPELLINGS), ...Object.keys(NO_VAULTS), share, DEEP_VAULT];
    const page = (name: string): [Operation, Payload] => ["outline", { page: name }];
    const sessions = {
      named: { calls: named.map((vault) => ["search", { query: "arabica", vault }]) },
      pages: {
        options: { vault: VAULT },
        calls: [
          page("wiki\\topic\\coffee.md"),
          page("wiki\\topic/coffee.md"),
          page(FAR_DOWN.replaceAll("/", "\\")),
          ["read", { page: "wiki\\topic\\coffee.md", expectedHash, section: "Roasting" }],
          ["search", { query: "ärger" }],
          ["search", { query: "xylophone" }],
          ["doctor", {}],
        ],
      },
      refused: { options: { vault: VAULT }, calls: [...REFUSED.map(page), page(COFFEE)] },
      environment: { options: { env: { OBSIDIAN_VAULT_PATH: VAULT } }, calls: [arabica] },
      configuration: { options: { env: { OBSIDIAN_AGENT_CONFIG: "C:\\properties.json" } }, calls: [arabica] },
      relative: { options: { config: "..\\properties.json", cwd: "C:\\People" }, calls: [arabica] },
      folder: {
        options: { vault: VAULT, wikiPath: "wiki\\topic\\" },
        calls: [arabica, ["search", { query: "ärger" }]],
      },
      outOfTheVault: { options: { vault: VAULT, wikiPath: "..\\Ada" }, calls: [arabica] },
    };
    writeFileSync(join(windows!.driveC, "calls.json"), JSON.stringify(sessions));
    before = picture(here);
    const { status, stdout, stderr } = windows!.program(join(projectRoot, "test/windows/calls.mjs"));
    after = picture(here);
    if (status !== 0) throw new Error(`the calls ended with ${status}: ${stderr}`);
    Object.assign(answers, JSON.parse(stdout));
  });

  const payload = (session: string, at: number) => {
    const answer = answers[session]![at]!;
    expect(answer, JSON.stringify(answer)).toMatchObject({ ok: true });
    return answer.payload as Payload & { results: { path: string }[] };
  };
  const paths = (session: string, at: number) => payload(session, at).results.map(({ path }) => path);

  test("nothing that was asked has changed the vault or what lies beside it", () => {
    expect(after).toEqual(before);
  });

  test.each(Object.keys(SPELLINGS).map((how, i) => [how, i] as const))(
    "a vault named with %s is the same vault",
    (_how, i) => {
      expect(paths("named", 0)).toEqual([COFFEE]);
      expect(paths("named", i + 1)).toEqual([COFFEE]);
    },
  );

  test.each(Object.values(NO_VAULTS).map((code, i) => [Object.keys(NO_VAULTS)[i]!, code, i] as const))(
    "%s is no vault: %s, in a sentence that names it",
    (vault, code, i) => {
      const answer = answers.named![Object.keys(SPELLINGS).length + 1 + i]!;
      expect(answer).toMatchObject({ ok: false, code });
      expect(answer.ok ? "" : answer.message).toContain(vault.replaceAll("/", "\\"));
    },
  );

  test("a vault that lies on no drive, and one at the end of a long path, are read", () => {
    const first = Object.keys(SPELLINGS).length + Object.keys(NO_VAULTS).length + 1;
    expect(paths("named", first)).toEqual([COFFEE]);
    expect(DEEP_VAULT.length).toBeGreaterThan(260);
    expect(payload("named", first + 1)).toMatchObject({ vault: DEEP_VAULT, results: [] });
  });

  test.each([
    ["the environment", "environment"],
    ["a configuration that the environment names", "configuration"],
    ["a configuration named from a folder", "relative"],
    ["a folder of pages with back slashes", "folder"],
  ])("%s counts", (_what, session) => {
    expect(payload(session, 0)).toMatchObject({ vault: VAULT, results: [{ path: COFFEE }] });
  });

  test("a folder of pages bounds what is found, and may not lie outside the vault", () => {
    expect(paths("folder", 1)).toEqual([]);
    expect(answers.outOfTheVault![0]).toMatchObject({ ok: false, code: "invalid-input" });
  });

  test("a page named with back slashes is the page, and answers name it with forward ones", () => {
    for (const at of [0, 1]) expect(payload("pages", at)).toMatchObject({ page: COFFEE, title: "Coffee", total: 3 });
    expect(payload("pages", 3)).toMatchObject({ page: COFFEE, text: "## Roasting\r\n\r\nLight or dark.\r\n" });
  });

  test("a page whose name has accents, and one whose path has more than 260 characters, are found and outlined", () => {
    expect(paths("pages", 4)).toEqual([ACCENTED]);
    expect(paths("pages", 5)).toEqual([FAR_DOWN]);
    expect(VAULT.length + FAR_DOWN.length).toBeGreaterThan(260);
    expect(payload("pages", 2)).toMatchObject({ page: FAR_DOWN, title: "Far down" });
  });

  test("doctor counts every page, and says that the mount is read-only", () => {
    expect(payload("pages", 6)).toMatchObject({
      vault: VAULT,
      pages: { counted: 3, skipped: {} },
      sandbox: { platform: "win32-x64", start: "snapshot", mount: { readOnly: true } },
    });
  });

  test.each(REFUSED.map((page, i) => [page, i] as const))("the page %s is refused", (_page, i) => {
    const answer = answers.refused![i]!;
    expect(answer.ok).toBe(false);
    expect(["page-refused", "page-not-found"]).toContain((answer as { code: string }).code);
  });

  test("after all refusals the sandbox still answers", () => {
    expect(payload("refused", REFUSED.length)).toMatchObject({ title: "Coffee" });
  });

  describe("and the command line", () => {
    const envelope = (...args: string[]) => {
      const { status, stdout, stderr } = windows!.cli([...args, "--vault", VAULT, "--json"]);
      expect(stdout, stderr).not.toBe("");
      return { status, ...JSON.parse(stdout) };
    };

    test("takes and prints accents as UTF-8, and writes nothing", () => {
      const here = picture(vaultHere);
      const found = envelope("search", "Ärger");
      expect(found).toMatchObject({
        status: 0,
        payload: { vault: VAULT, source: "live", results: [{ path: ACCENTED }] },
      });
      expect(picture(vaultHere)).toEqual(here);
    });

    test("publishes the index, and the next search uses it", () => {
      expect(envelope("index")).toMatchObject({ status: 0, ok: true });
      expect(envelope("search", "arabica")).toMatchObject({
        status: 0,
        payload: { source: "index-file", freshness: "current-by-mtime", results: [{ path: COFFEE }] },
      });
    });

    test("is over when its time is: the worker is ended, and Node ends", () => {
      const page = pageThatTakesLong(vaultHere);
      expect(envelope("outline", page, "--timeout", "1")).toMatchObject({ status: 1, ok: false, code: "deadline" });
      rmSync(join(vaultHere, page));
    });
  });
});
