// The built command line under Windows' path rules: drive letters, back slashes, long paths, a share, a space and an é.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { picture } from "../helpers/untouched.ts";
import { Windows } from "../helpers/wine.ts";

const windows = await Windows.open();
const VAULT = "C:\\Users\\Ada\\My Vault é";
const vaultHere = windows ? join(windows.driveC, "Users/Ada/My Vault é") : "";

function page(path: string, text: string): void {
  const file = join(vaultHere, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, text);
}

beforeAll(() => {
  if (!windows) return;
  page(
    "wiki/topic/coffee.md",
    "---\r\ntitle: Coffee\r\n---\r\n# Coffee\r\n\r\nArabica grows high.\r\n\r\n## Roasting\r\n\r\nLight or dark.\r\n",
  );
  page("wiki/naïve – 日本.md", "# naïve – 日本\n\nÄrger mit Umlauten.\n");
  page(`wiki/${"long name ".repeat(9)}/${"deeper ".repeat(18)}/page.md`, "# Far down\n\nThe xylophone is here.\n");
});
afterAll(() => windows?.close());

describe.skipIf(!windows)("the command line under Windows' rules", () => {
  const envelope = (args: string[], env?: Record<string, string>) => {
    const { status, stdout, stderr } = windows!.cli([...args, "--json"], env);
    expect(stdout, stderr).not.toBe("");
    return { status, ...JSON.parse(stdout) };
  };

  test("it searches, outlines, reads and diagnoses, and changes nothing", () => {
    const before = picture(vaultHere);
    const found = envelope(["search", "arabica", "--vault", VAULT]);
    expect(found).toMatchObject({ status: 0, ok: true, payload: { vault: VAULT } });
    expect(found.payload.results[0].path).toBe("wiki/topic/coffee.md");
    const outlined = envelope(["outline", "wiki/topic/coffee.md", "--vault", VAULT]);
    expect(outlined.payload).toMatchObject({ title: "Coffee", total: 3 });
    const hash = outlined.payload.expectedHash;
    const read = envelope(["read", "wiki/topic/coffee.md", "--vault", VAULT, "--hash", hash, "--section", "Roasting"]);
    expect(read.payload.text).toBe("## Roasting\r\n\r\nLight or dark.\r\n");
    const doctor = envelope(["doctor", "--vault", VAULT]);
    expect(doctor.payload).toMatchObject({ vaultExists: true, wikiExists: true });
    expect(picture(vaultHere)).toEqual(before);
  });

  test.each([
    ["forward slashes", "C:/Users/Ada/My Vault é"],
    ["a small drive letter", "c:\\Users\\Ada\\My Vault é"],
    ["a back slash at the end", `${VAULT}\\`],
    ["a detour", "C:\\Users\\Ada\\Other\\..\\My Vault é"],
  ])("a vault named with %s is the same vault", (_how, vault) => {
    expect(envelope(["search", "arabica", "--vault", vault]).payload.results).toHaveLength(1);
  });

  test("a vault from the environment and from the configuration is found", () => {
    expect(envelope(["search", "arabica"], { OBSIDIAN_VAULT_PATH: VAULT }).ok).toBe(true);
    const config = join(windows!.driveC, "properties.json");
    writeFileSync(config, JSON.stringify({ vaultPath: VAULT }));
    expect(envelope(["search", "arabica", "--config", "C:\\properties.json"]).ok).toBe(true);
  });

  test("a page named with back slashes is the page; paths in answers have forward ones", () => {
    const outlined = envelope(["outline", "wiki\\topic\\coffee.md", "--vault", VAULT]);
    expect(outlined.payload.page).toBe("wiki/topic/coffee.md");
  });

  test("accents come out as UTF-8", () => {
    const { results } = envelope(["search", "ärger", "--vault", VAULT]).payload;
    expect(results[0].path).toBe("wiki/naïve – 日本.md");
  });

  test("a path of more than 260 characters is read, or named among what was skipped", () => {
    const answer = envelope(["search", "xylophone", "--vault", VAULT]);
    const seen = answer.payload.results.some((result: { path: string }) => result.path.endsWith("/page.md"));
    const told = JSON.stringify(envelope(["doctor", "--vault", VAULT]).payload.pages ?? {}).includes("page.md");
    expect(seen || told).toBe(true);
  });

  test("a share that is not there is one clear sentence", () => {
    const answer = envelope(["search", "arabica", "--vault", "\\\\server\\share\\Notes"]);
    expect(answer).toMatchObject({ status: 1, ok: false, code: "vault-missing" });
  });

  test.each([
    "..\\outside.md",
    "wiki\\..\\..\\outside.md",
    "C:\\Windows\\win.ini",
    "wiki\\topic\\COFFEE.md",
    "wiki\\con.md",
  ])("%s is refused", (path) => {
    const answer = envelope(["outline", path, "--vault", VAULT]);
    expect(answer.ok).toBe(false);
    expect(["page-refused", "page-not-found", "invalid-input"]).toContain(answer.code);
  });

  test("the index is published, and the next search uses it", () => {
    expect(envelope(["index", "--vault", VAULT])).toMatchObject({ status: 0, ok: true });
    expect(envelope(["search", "arabica", "--vault", VAULT]).payload).toMatchObject({ source: "index-file" });
  });

  test("a deadline ends the worker, and the command ends", () => {
    const answer = envelope(["search", "a", "--vault", VAULT, "--timeout", "1"], { PI_WIKI_COLD_START: "1" });
    // A cold start under Wine takes longer than a second; where it does not, an answer is right too.
    expect(answer.ok || answer.code === "deadline").toBe(true);
  });
});
