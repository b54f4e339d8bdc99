// Real Git, for comparison, in a folder of its own where it finds no settings but those a test makes.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { tempFolder } from "./garden.ts";

export const HAS_GIT = (() => {
  try {
    execFileSync("git", ["--version"]);
    return true;
  } catch {
    console.error("Not compared with Git itself: there is no git on this machine.");
    return false;
  }
})();

export interface Place {
  repository: string;
  vault: string;
}

export interface GitFolder extends Disposable {
  path: string;
  /** The home folder that Git is given. */
  home: string;
  git(cwd: string, ...args: string[]): string;
  /** Which of these, relative to the vault, Git ignores. */
  ignored(vault: string, paths: readonly string[]): boolean[];
  /** A repository with a vault in it, and files where the index and the lifecycle keep theirs. */
  vaultIn(name: string, below?: string): Place;
}

export function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

export function gitFolder(): GitFolder {
  const folder = tempFolder("pi-wiki-git-");
  const home = join(folder.path, "home");
  mkdirSync(home);
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: "", GIT_CONFIG_NOSYSTEM: "1" };
  const git = (cwd: string, ...args: string[]) =>
    execFileSync("git", args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  return {
    path: folder.path,
    home,
    git,
    ignored(vault, paths) {
      // Without the slash: with it, Git takes a folder for an entry with an empty name inside itself.
      const names = paths.map((path) => path.replace(/\/$/, ""));
      const { status, stdout } = spawnSync("git", ["check-ignore", "--no-index", "-z", "--stdin"], {
        cwd: vault,
        env,
        input: names.join("\0"),
        encoding: "utf8",
      });
      if (status !== 0 && status !== 1) throw new Error(`git check-ignore ended with ${status}`);
      const ignored = new Set(stdout.split("\0"));
      return names.map((name) => ignored.has(name));
    },
    vaultIn(name, below = "") {
      const repository = join(folder.path, name);
      const vault = join(repository, below);
      put(join(vault, "wiki/page.md"), "# Page\n");
      for (const file of ["retrieval/bm25.json", "retrieval/odd name.tmp", "lifecycle/state.json"]) {
        put(join(vault, ".vault-meta", file), "{}");
      }
      if (HAS_GIT) git(repository, "init", "-q");
      return { repository, vault };
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}
