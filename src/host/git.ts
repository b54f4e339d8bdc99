// Doctor's question to Git: would the files that are derived from the wiki ever be committed? Answered from the
// repository's own files, read-only and within a time; no program is started and nothing is contacted.
import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import process from "node:process";
import { type Matching, parseRules, type Rule, TooManyRules, verdictOf } from "./git-ignore.ts";
import {
  findRepository,
  type GitSurroundings,
  ownRules,
  type Repository,
  readText,
  trackedFiles,
} from "./git-repository.ts";

export interface CacheExclusions {
  /** The repository's folder, or null when the vault lies in none. */
  repository: string | null;
  /** Vault-relative; folders end with `/`. `tracked` is null where Git's index could not be read. */
  paths: { path: string; ignored: boolean; tracked: boolean | null }[];
  /** True when none of these files can get into a commit unnoticed. */
  ok: boolean;
  /** What is not as it should be and what to do, or why there is nothing to look at. */
  reason: string | null;
}

const FOLDERS = [".vault-meta/retrieval/", ".vault-meta/lifecycle/"];
/** Files that are looked at even before they are there, so that the first one is not committed by surprise. */
const FILES = [
  ".vault-meta/retrieval/bm25.json",
  ".vault-meta/retrieval/chunks.json",
  ".vault-meta/retrieval/index.bin",
  ".vault-meta/retrieval/vectors.bin",
  ".vault-meta/lifecycle/state.json",
];
const FILES_FOUND_MAX = 50; // more in one folder are not named one by one
const TIME_MS = 3_000; // a repository on a drive that does not answer must not hold doctor up
const STEPS = 2_000_000; // of matching, in all: a tenth of a second

/** Never rejects. `vault` is the vault's real path. */
export async function cacheExclusions(
  vault: string,
  around: GitSurroundings = { env: process.env, home: homedir() },
): Promise<CacheExclusions> {
  const failed = (reason: string): CacheExclusions => ({ repository: null, paths: [], ok: false, reason });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<CacheExclusions>((resolve) => {
    timer = setTimeout(() => resolve(failed("Git's files did not answer in time.")), TIME_MS).unref();
  });
  const found = look(vault, around).catch((error: unknown) =>
    failed(error instanceof TooManyRules ? "Git's ignore rules are too many to follow." : `Git's files: ${error}`),
  );
  try {
    return await Promise.race([found, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function look(vault: string, around: GitSurroundings): Promise<CacheExclusions> {
  const repository = await findRepository(vault, around);
  if (!repository) {
    return {
      repository: null,
      paths: [],
      ok: true,
      reason: "The vault lies in no Git repository, so nothing is committed.",
    };
  }
  const prefix = path.relative(repository.root, vault).split(path.sep).filter(Boolean).join("/");
  const fromRoot = (name: string) => (prefix === "" ? name : `${prefix}/${name}`);
  const names = [...FOLDERS, ...new Set([...FILES, ...(await existingFiles(vault))])].sort();
  const ignored = await ignoring(repository, around);
  const tracked = await trackedFiles(repository, fromRoot(".vault-meta"));
  const paths: CacheExclusions["paths"] = [];
  for (const name of names) {
    paths.push({
      path: name,
      ignored: await ignored(fromRoot(name)),
      tracked: typeof tracked === "string" ? null : tracked.some((file) => concerns(file, fromRoot(name))),
    });
  }
  const reason = verdict(paths, typeof tracked === "string" ? tracked : null, fromRoot(".vault-meta/"));
  return { repository: repository.root, paths, ok: reason === null, reason };
}

async function existingFiles(vault: string): Promise<string[]> {
  const found = await Promise.all(
    FOLDERS.map(async (folder) => {
      const entries = await readdir(path.join(vault, folder), { withFileTypes: true }).catch(() => []);
      const files = entries.filter((entry) => entry.isFile()).map((entry) => folder + entry.name);
      return files.sort().slice(0, FILES_FOUND_MAX);
    }),
  );
  return found.flat();
}

/** A tracked file is the one asked about, lies in the folder asked about, or is a sparse folder that holds it. */
function concerns(tracked: string, asked: string): boolean {
  return (
    tracked === asked ||
    (asked.endsWith("/") && tracked.startsWith(asked)) ||
    (tracked.endsWith("/") && asked.startsWith(tracked))
  );
}

/** Answers whether Git ignores a path; a folder's ends with `/`. */
async function ignoring(repository: Repository, around: GitSurroundings): Promise<(file: string) => Promise<boolean>> {
  const { root, commonFolder, settings } = repository;
  const matching: Matching = { foldCase: settings.ignoreCase ?? process.platform === "win32", steps: STEPS };
  const exclude = parseRules((await readText(path.join(commonFolder, "info", "exclude"))) ?? "");
  const own = parseRules(await ownRules(repository, around));
  const byFolder = new Map<string, Promise<Rule[]>>();
  const rulesIn = (folder: string) => {
    let rules = byFolder.get(folder);
    rules ??= readText(path.join(root, folder, ".gitignore"), false).then((text) => parseRules(text ?? ""));
    byFolder.set(folder, rules);
    return rules;
  };

  /** The nearest file with something to say decides; then this repository's own exclusions, then the user's. */
  const ignoredItself = async (parts: readonly string[], isFolder: boolean): Promise<boolean> => {
    const bytes = (from: number) => Buffer.from(parts.slice(from).join("/"), "utf8").toString("latin1");
    for (let depth = parts.length - 1; depth >= 0; depth--) {
      const rules = await rulesIn(parts.slice(0, depth).join("/"));
      const said = verdictOf(rules, bytes(depth), isFolder, matching);
      if (said !== null) return said;
    }
    const whole = bytes(0);
    return verdictOf(exclude, whole, isFolder, matching) ?? verdictOf(own, whole, isFolder, matching) ?? false;
  };

  return async (file) => {
    const parts = file.split("/").filter(Boolean);
    for (let count = 1; count <= parts.length; count++) {
      // What lies in an ignored folder cannot be taken back by any rule.
      if (await ignoredItself(parts.slice(0, count), count < parts.length || file.endsWith("/"))) return true;
    }
    return false;
  };
}

function verdict(paths: CacheExclusions["paths"], unread: string | null, folder: string): string | null {
  const tracked = paths.filter((file) => file.tracked);
  const exposed = paths.filter((file) => !file.ignored && !file.path.endsWith("/"));
  if (tracked.length > 0) {
    return `Git tracks ${named(tracked)}. Take it out with "git rm -r --cached ${folder}" and ignore ${folder}.`;
  }
  if (exposed.length > 0)
    return `Git does not ignore ${named(exposed)}. Add /${folder} to the repository's .gitignore.`;
  return unread;
}

function named(files: readonly { path: string }[]): string {
  const more = files.length > 1 ? ` and ${files.length - 1} more` : "";
  return files[0]!.path + more;
}
