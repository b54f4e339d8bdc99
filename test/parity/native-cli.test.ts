// `python3 -m wiki`, run as a user would: exit codes, what is refused on a real file system, and what `index` publishes.
import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { NATIVE_PYTHON } from "../helpers/native.ts";

const packageRoot = fileURLToPath(new URL("../../", import.meta.url));

let vault: string;

beforeEach(() => {
  vault = mkdtempSync(join(tmpdir(), "native cli é "));
  mkdirSync(join(vault, "wiki"));
  writeFileSync(join(vault, "wiki/coffee.md"), "# Coffee\n\nBeans from Kenya.\n");
  writeFileSync(join(vault, "wiki/tea.md"), "# Tea\n\nLeaves.\n");
});
afterEach(() => rmSync(vault, { recursive: true, force: true }));

function wiki(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(NATIVE_PYTHON!, ["-m", "wiki", ...args], {
    cwd: vault,
    encoding: "utf8",
    env: { PATH: process.env.PATH, HOME: vault, PYTHONPATH: join(packageRoot, "py"), PYTHONDONTWRITEBYTECODE: "1" },
  });
  return { status, stdout, stderr };
}

function envelope(...args: string[]) {
  const { status, stdout } = wiki(...args, "--json");
  const value = JSON.parse(stdout);
  expect(stdout.endsWith("}\n")).toBe(true);
  expect(status).toBe(value.ok ? 0 : 1);
  return value;
}

const refusal = (page: string) => envelope("outline", page, "--vault", vault).payload.refusal;

describe.skipIf(!NATIVE_PYTHON)("python3 -m wiki", () => {
  test("searches, outlines and reads, each answer leading to the next", () => {
    const found = envelope("search", "kenya", "--vault", vault).payload.results[0];
    expect(found.path).toBe("wiki/coffee.md");
    const { expectedHash, sections } = envelope("outline", found.path, "--vault", vault).payload;
    expect(expectedHash).toBe(found.read.expectedHash);
    const section = sections.at(-1).section;
    const read = envelope("read", found.path, "--vault", vault, "--hash", expectedHash, "--section", section);
    expect(read.payload.text).toContain("Beans from Kenya.");
  });

  test("takes a vault relative to the working directory, and prints text for people", () => {
    const { status, stdout } = wiki("search", "kenya", "--vault", ".");
    expect(status).toBe(0);
    expect(stdout).toContain("wiki/coffee.md");
  });

  test("ends with 1 and a sentence where it fails, with 2 where it is used wrongly", () => {
    const failed = wiki("outline", "wiki/cofee.md", "--vault", vault);
    expect(failed.status).toBe(1);
    expect(failed.stderr).toMatch(/^page-not-found: .*wiki\/coffee\.md/);
    expect(wiki("outline", "wiki/coffee.md").status).toBe(2);
    expect(wiki("read", "wiki/coffee.md", "--vault", vault).status).toBe(2);
    expect(wiki("guess").status).toBe(2);
    expect(wiki("search", "x", "--vault", vault, "--limit", "many").status).toBe(2);
  });

  test("says which vault is missing, and doctor still reports", () => {
    expect(envelope("search", "x").code).toBe("no-vault");
    expect(envelope("search", "x", "--vault", "nowhere").code).toBe("vault-missing");
    expect(envelope("search", "x", "--vault", vault, "--wiki-path", "notes").code).toBe("wiki-missing");
    expect(envelope("search", "x", "--vault", vault, "--wiki-path", "../x").code).toBe("invalid-input");
    const { payload } = envelope("doctor");
    expect(payload).toMatchObject({ vault: null, vaultExists: false, wikiExists: false });
  });

  test.skipIf(process.platform === "win32")("refuses what a real file system can put in the place of a page", () => {
    execFileSync("mkfifo", [join(vault, "wiki/pipe.md")]);
    linkSync(join(vault, "wiki/tea.md"), join(vault, "wiki/tea2.md"));
    symlinkSync("coffee.md", join(vault, "wiki/link.md"));
    writeFileSync(join(vault, "wiki/ghost.md"), "");
    truncateSync(join(vault, "wiki/ghost.md"), 5_000);
    writeFileSync(Buffer.concat([Buffer.from(join(vault, "wiki/m")), Buffer.from([0xff]), Buffer.from(".md")]), "x");
    expect(refusal("wiki/pipe.md")).toBe("not-regular");
    expect(refusal("wiki/tea.md")).toBe("hardlink");
    expect(refusal("wiki/link.md")).toBe("symlink");
    expect(refusal("wiki/ghost.md")).toBe("not-local");
    expect(refusal("wiki/Coffee.md")).toBe("alias");
    const { pages } = envelope("doctor", "--vault", vault).payload;
    expect(pages.counted).toBe(1);
    expect(Object.keys(pages.skipped)).toEqual(["hardlink", "name-not-utf8", "not-local", "not-regular", "symlink"]);
    expect(envelope("search", "kenya", "--vault", vault).payload.results).toHaveLength(1);
  });

  test("publishes index files whole, and again over the old ones", () => {
    for (let round = 0; round < 2; round++) {
      const { published } = envelope("index", "--compat", "--vault", vault).payload;
      expect(published).toContain(".vault-meta/retrieval/bm25.json");
      const names = readdirSync(join(vault, ".vault-meta/retrieval")).sort();
      expect(names.map((name) => `.vault-meta/retrieval/${name}`)).toEqual(published);
    }
    const index = JSON.parse(readFileSync(join(vault, ".vault-meta/retrieval/bm25.json"), "utf8"));
    expect(index).toMatchObject({ version: 1, documents: 2 });
  });

  test.skipIf(process.platform === "win32")("writes through no link, neither to a folder nor to a file", () => {
    mkdirSync(join(vault, "elsewhere"));
    symlinkSync("elsewhere", join(vault, ".vault-meta"));
    expect(envelope("index", "--compat", "--vault", vault)).toMatchObject({ ok: false, code: "invalid-input" });
    expect(readdirSync(join(vault, "elsewhere"))).toEqual([]);
    rmSync(join(vault, ".vault-meta"));
    mkdirSync(join(vault, ".vault-meta/retrieval"), { recursive: true });
    writeFileSync(join(vault, "precious"), "kept");
    symlinkSync("../../precious", join(vault, ".vault-meta/retrieval/bm25.json"));
    expect(envelope("index", "--compat", "--vault", vault)).toMatchObject({ ok: false, code: "invalid-input" });
    expect(readFileSync(join(vault, "precious"), "utf8")).toBe("kept");
    expect(readdirSync(join(vault, ".vault-meta/retrieval"))).toEqual(["bm25.json"]);
  });

  test("search, outline, read and doctor write nothing", () => {
    envelope("search", "kenya", "--vault", vault);
    envelope("outline", "wiki/tea.md", "--vault", vault);
    envelope("doctor", "--vault", vault);
    expect(existsSync(join(vault, ".vault-meta"))).toBe(false);
    expect(readdirSync(vault)).toEqual(["wiki"]);
  });
});
