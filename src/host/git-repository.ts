// A Git repository's files, as far as they decide what is ignored and what is tracked: found, read within bounds and
// never written. Git itself is not started.
import { constants, type Stats } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import path from "node:path";
import { type GitSettings, parseGitSettings } from "./git-config.ts";
import { trackedBelow } from "./git-index.ts";

const TEXT_MAX_BYTES = 256 * 1024; // of a file with rules or settings; the rest is not read
const INDEX_MAX_BYTES = 64 * 1024 * 1024; // over half a million tracked files
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

export interface Repository {
  /** The folder that holds `.git`. */
  root: string;
  /** Where this working tree's index lies. */
  gitFolder: string;
  /** Where what all working trees share lies. */
  commonFolder: string;
  settings: GitSettings;
}

export interface GitSurroundings {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
}

/** The repository that a folder lies in, or null. */
export async function findRepository(folder: string, around: GitSurroundings): Promise<Repository | null> {
  for (let root = folder; ; root = path.dirname(root)) {
    const gitFolder = await gitFolderOf(path.join(root, ".git"));
    if (gitFolder !== null) {
      const common = (await readText(path.join(gitFolder, "commondir")))?.trim();
      const commonFolder = common ? path.resolve(gitFolder, common) : gitFolder;
      return { root, gitFolder, commonFolder, settings: await settingsOf(commonFolder, around) };
    }
    if (path.dirname(root) === root) return null;
  }
}

/** `.git` is a folder, or in a further working tree and a submodule a file that names one. */
async function gitFolderOf(dotGit: string): Promise<string | null> {
  const found = await lookAt(dotGit);
  if (!found) return null;
  let folder = dotGit;
  if (found.isFile()) {
    const named = /^gitdir: (.+)$/m.exec((await readText(dotGit)) ?? "")?.[1];
    if (named === undefined) return null;
    folder = path.resolve(path.dirname(dotGit), Buffer.from(named.trimEnd(), "latin1").toString("utf8"));
  }
  return (await lookAt(path.join(folder, "HEAD"))) ? folder : null;
}

async function settingsOf(commonFolder: string, around: GitSurroundings): Promise<GitSettings> {
  const files = ["/etc/gitconfig", configHome(around, "config"), path.join(around.home, ".gitconfig")];
  const texts = await Promise.all([...files, path.join(commonFolder, "config")].map((file) => readText(file)));
  return Object.assign(
    {},
    ...texts.map((text) => parseGitSettings(Buffer.from(text ?? "", "latin1").toString("utf8"))),
  );
}

function configHome({ env, home }: GitSurroundings, name: string): string {
  return path.join(env.XDG_CONFIG_HOME || path.join(home, ".config"), "git", name);
}

/** The user's own rules for all repositories. */
export async function ownRules({ root, settings }: Repository, around: GitSurroundings): Promise<string> {
  const named = settings.excludesFile;
  if (named === undefined) return (await readText(configHome(around, "ignore"))) ?? "";
  if (named === "") return "";
  const expanded = named === "~" || named.startsWith("~/") ? around.home + named.slice(1) : named;
  return (await readText(path.resolve(root, expanded))) ?? "";
}

/** What Git tracks below a folder (relative to the repository, with `/`), or a sentence on why that is not known. */
export async function trackedFiles({ gitFolder, settings }: Repository, folder: string): Promise<string[] | string> {
  const hashBytes = settings.objectFormat === "sha256" ? 32 : 20;
  try {
    const index = await readBounded(path.join(gitFolder, "index"), INDEX_MAX_BYTES + 1);
    if (index === null) return []; // nothing was ever added
    if (index.length > INDEX_MAX_BYTES) return "Git's index is too large to be looked through.";
    const { paths, shared } = trackedBelow(index, folder, hashBytes);
    if (shared === null) return paths;
    const rest = await readBounded(path.join(gitFolder, shared), INDEX_MAX_BYTES);
    return rest === null
      ? "A part of Git's index is missing."
      : [...paths, ...trackedBelow(rest, folder, hashBytes).paths];
  } catch (error) {
    return `Git's index cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** The beginning of a text file as a byte string, or null when there is none. Links are followed unless told not to. */
export async function readText(file: string, follow = true): Promise<string | null> {
  try {
    const bytes = await readBounded(file, TEXT_MAX_BYTES, follow);
    return bytes?.toString("latin1") ?? null;
  } catch {
    return null; // like Git, which warns and goes on
  }
}

async function readBounded(file: string, most: number, follow = true): Promise<Buffer | null> {
  let handle: FileHandle;
  try {
    handle = await open(file, READ | (follow ? 0 : (constants.O_NOFOLLOW ?? 0)));
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return null;
    throw error;
  }
  try {
    const { size } = await onlyRegular(handle);
    const bytes = Buffer.allocUnsafe(Math.min(size, most));
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return bytes.subarray(0, length);
  } finally {
    await handle.close();
  }
}

async function onlyRegular(handle: FileHandle): Promise<Stats> {
  const found = await handle.stat();
  if (!found.isFile()) throw new Error("It is not a regular file.");
  return found;
}

async function lookAt(file: string): Promise<Stats | null> {
  try {
    return await stat(file);
  } catch {
    return null;
  }
}
