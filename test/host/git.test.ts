// Doctor's answer about Git, held against Git itself wherever it is installed.
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CacheExclusions, cacheExclusions } from "../../src/host/git.ts";
import { type GitFolder, gitFolder, HAS_GIT, type Place, put } from "../helpers/git.ts";
import { picture } from "../helpers/untouched.ts";

let folder: GitFolder;
let home: string;
beforeAll(() => {
  folder = gitFolder();
  home = folder.home;
});
afterAll(() => folder[Symbol.dispose]());

const git = (cwd: string, ...args: string[]) => folder.git(cwd, ...args);
const vaultIn = (name: string, below?: string) => folder.vaultIn(name, below);
const ask = (vault: string, env: Record<string, string> = {}) => cacheExclusions(vault, { env, home });

/** The same facts, asked of Git. */
function gitSays({ vault }: Place, { paths }: CacheExclusions): CacheExclusions["paths"] {
  const names = paths.map(({ path }) => path);
  const ignored = folder.ignored(vault, names);
  const files = git(vault, "ls-files", "-z").split("\0");
  const isTracked = (path: string) =>
    files.some((file) => file === path || (path.endsWith("/") && file.startsWith(path)));
  return names.map((path, i) => ({ path, ignored: ignored[i]!, tracked: isTracked(path) }));
}

function expectAgreement(place: Place, answer: CacheExclusions): void {
  expect(answer.repository).toBe(place.repository);
  expect(answer.paths).toEqual(gitSays(place, answer));
}

test("a vault in no repository has nothing to keep out of one", async () => {
  const vault = join(folder.path, "no-repository");
  mkdirSync(vault);
  expect(await ask(vault)).toMatchObject({ repository: null, paths: [], ok: true });
});

test("a .git that is no repository is passed over", async () => {
  const vault = join(folder.path, "hollow");
  mkdirSync(join(vault, ".git"), { recursive: true });
  expect(await ask(vault)).toMatchObject({ repository: null, ok: true });
});

describe.runIf(HAS_GIT)("beside Git", () => {
  test("without a rule it says which file is exposed and what to add", async () => {
    const place = vaultIn("bare");
    const answer = await ask(place.vault);
    expectAgreement(place, answer);
    expect(answer).toMatchObject({ ok: false, repository: place.repository });
    expect(answer.reason).toContain("/.vault-meta/ to the repository's .gitignore");
  });

  test("one rule for the folder is enough", async () => {
    const place = vaultIn("ignored");
    put(join(place.repository, ".gitignore"), ".vault-meta/\n");
    const answer = await ask(place.vault);
    expectAgreement(place, answer);
    expect(answer).toMatchObject({ ok: true, reason: null });
    expect(answer.paths.every(({ ignored, tracked }) => ignored && tracked === false)).toBe(true);
  });

  test("files that an ignored folder already gave to Git are reported as tracked", async () => {
    const place = vaultIn("tracked");
    git(place.repository, "add", "-f", ".vault-meta/retrieval/bm25.json");
    put(join(place.repository, ".gitignore"), ".vault-meta/\n");
    const answer = await ask(place.vault);
    expectAgreement(place, answer);
    expect(answer.ok).toBe(false);
    expect(answer.reason).toContain("git rm -r --cached .vault-meta/");
  });

  test("in a subfolder, the nearer file takes back what the root ignores", async () => {
    const place = vaultIn("nested", "notes/My Vault é");
    put(join(place.repository, ".gitignore"), ".vault-meta/\n");
    put(join(place.vault, ".gitignore"), "!.vault-meta/\n");
    const answer = await ask(place.vault);
    expectAgreement(place, answer);
    expect(answer.ok).toBe(false);
    expect(answer.reason).toContain("/notes/My Vault é/.vault-meta/");
  });

  test("what lies in an ignored folder is not taken back by a rule inside it", async () => {
    const place = vaultIn("inside");
    put(join(place.repository, ".gitignore"), ".vault-meta/retrieval/\n.vault-meta/lifecycle/*\n");
    put(join(place.vault, ".vault-meta/retrieval/.gitignore"), "!*\n");
    put(join(place.vault, ".vault-meta/lifecycle/.gitignore"), "!state.json\n");
    const answer = await ask(place.vault);
    expectAgreement(place, answer);
    expect(answer.ok).toBe(false);
  });

  test("a link in place of .gitignore holds no rules", async () => {
    const place = vaultIn("linked");
    put(join(folder.path, "rules"), ".vault-meta/\n");
    symlinkSync(join(folder.path, "rules"), join(place.repository, ".gitignore"));
    expectAgreement(place, await ask(place.vault));
  });

  test("the repository's own exclusions and the user's count, in that order", async () => {
    const place = vaultIn("excludes");
    put(join(place.repository, ".git/info/exclude"), "!.vault-meta/lifecycle/\n.vault-meta/retrieval/*.json\n");
    put(join(home, "mine"), "lifecycle/\n*.tmp\n*.bin\n");
    git(place.repository, "config", "core.excludesFile", "~/mine");
    const answer = await ask(place.vault);
    expectAgreement(place, answer);
    expect(answer.ok).toBe(false);
  });

  test("without a setting the user's rules are those in the configuration folder", async () => {
    const place = vaultIn("default-excludes");
    put(join(home, ".config/git/ignore"), ".vault-meta\n");
    const answer = await ask(place.vault);
    rmSync(join(home, ".config"), { recursive: true });
    expect(answer).toMatchObject({ ok: true });
    put(join(home, "xdg/git/ignore"), ".vault-meta\n");
    expect(await ask(place.vault, { XDG_CONFIG_HOME: join(home, "xdg") })).toMatchObject({ ok: true });
  });

  test("a further working tree has its own index and shares the exclusions", async () => {
    const { repository } = vaultIn("main-tree");
    put(join(repository, ".git/info/exclude"), ".vault-meta/retrieval/\n");
    git(repository, "add", "wiki");
    git(repository, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "one");
    const tree = join(folder.path, "second-tree");
    git(repository, "worktree", "add", "-q", tree);
    put(join(tree, ".vault-meta/lifecycle/state.json"), "{}");
    put(join(tree, ".vault-meta/retrieval/bm25.json"), "{}");
    git(tree, "add", ".vault-meta/lifecycle");
    const answer = await ask(tree);
    expectAgreement({ repository: tree, vault: tree }, answer);
    expect(answer.ok).toBe(false);
  });

  test.each(["2", "4"])("an index of version %s, one that is split, and one of SHA-256 are read", async (version) => {
    const place = vaultIn(`index-${version}`);
    git(place.repository, "update-index", "--index-version", version);
    git(place.repository, "add", ".");
    expectAgreement(place, await ask(place.vault));
    git(place.repository, "update-index", "--split-index");
    put(join(place.vault, ".vault-meta/retrieval/later.json"), "{}");
    git(place.repository, "add", ".");
    expectAgreement(place, await ask(place.vault));
    rmSync(join(place.repository, ".git"), { recursive: true });
    git(place.repository, "init", "-q", "--object-format=sha256");
    git(place.repository, "update-index", "--index-version", version);
    git(place.repository, "add", ".");
    expectAgreement(place, await ask(place.vault));
  });

  test("a damaged index leaves `tracked` open and says so", async () => {
    const place = vaultIn("damaged");
    put(join(place.repository, ".gitignore"), ".vault-meta/\n");
    put(
      join(place.repository, ".git/index"),
      "DIRC\0\0\0\x02\0\0\0\x09 and then nothing that fits an entry of an index",
    );
    const answer = await ask(place.vault);
    expect(answer.ok).toBe(false);
    expect(answer.reason).toContain("Git's index");
    expect(answer.paths.every(({ tracked }) => tracked === null)).toBe(true);
  });

  test("a vault and its repository are left as they were", async () => {
    const place = vaultIn("untouched");
    git(place.repository, "add", ".");
    const before = picture(place.repository);
    await ask(place.vault);
    expect(picture(place.repository)).toEqual(before);
  });

  test("rules made to be slow are given up, and the event loop goes on", async () => {
    const place = vaultIn("slow");
    put(join(place.repository, ".gitignore"), `${"*?".repeat(400)}x\n`.repeat(300));
    const started = performance.now();
    const answer = await ask(place.vault);
    expect(performance.now() - started).toBeLessThan(2_000);
    expect(answer.paths.length === 0 || answer.ok === false).toBe(true);
  });
});
