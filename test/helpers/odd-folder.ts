// A wiki with one of everything that is no ordinary page, between ordinary pages: whoever lists it must not lose these.
import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";

export interface OddFolder {
  /** Names of ordinary pages, one beside each odd entry. */
  pages: string[];
  close(): void;
}

/** Fills `<vault>/wiki`. Not everything exists everywhere: what a system refuses is left out. */
export function makeOddFolder(vault: string): OddFolder {
  const wiki = join(vault, "wiki");
  mkdirSync(join(wiki, "plain/inner"), { recursive: true });
  const pages: string[] = [];
  const page = (name: string, text = "# Page\n") => {
    writeFileSync(join(wiki, name), text);
    pages.push(`wiki/${name}`);
  };
  page("a.md");
  page("plain/b.md");
  page("plain/inner/C.MD");
  page(".md".padStart(4, "e"));
  page("empty.md", "");
  for (const name of [
    "學점 é.md",
    "학점.md",
    "\ufffd.md",
    "\ue000.md",
    "😀.md",
    "𐀀/x",
    "z\u202ez.md",
    "trailing .md",
  ]) {
    if (name.endsWith("/x")) mkdirSync(join(wiki, name.slice(0, -2)));
    else page(name);
  }
  page("𐀀/below.md");
  page("x".repeat(252).concat(".md"));
  writeFileSync(join(wiki, "picture.png"), "");
  writeFileSync(join(wiki, ".hidden.md"), "hidden");
  mkdirSync(join(wiki, ".trash"));
  writeFileSync(join(wiki, ".trash/old.md"), "gone");
  mkdirSync(join(wiki, "folder.md"));
  page("folder.md/inside.md");
  writeFileSync(join(vault, "outside.md"), "outside");
  symlinkSync("a.md", join(wiki, "link.md"));
  symlinkSync("nowhere", join(wiki, "dead.md"));
  symlinkSync("loop.md", join(wiki, "loop.md"));
  symlinkSync("..", join(wiki, "up"));
  symlinkSync(join(vault, "outside.md"), join(wiki, "picture link"));
  linkSync(join(vault, "outside.md"), join(wiki, "hard.md"));
  writeFileSync(join(wiki, "ghost.md"), "");
  truncateSync(join(wiki, "ghost.md"), 5000);
  let deep = "deep";
  for (let level = 0; level < 66; level++) deep += "/d";
  mkdirSync(join(wiki, deep), { recursive: true });
  writeFileSync(join(wiki, deep.slice(0, -4), "in-the-last-folder.md"), "");
  if (process.platform === "win32") return { pages, close() {} };
  writeFileSync(join(wiki, "new\nline \u0007.md"), "");
  writeFileSync(join(wiki, "back\\slash.md"), "");
  execFileSync("mkfifo", [join(wiki, "pipe.md"), join(wiki, "pipe")]);
  touch(join(wiki, "a.md"), "1969-12-31 23:59:58.999999999Z");
  touch(join(wiki, "empty.md"), "2100-02-03 04:05:06.000000001Z");
  const socket: Server = createServer().listen(join(wiki, "sock.md"));
  if (process.platform === "linux") {
    for (const name of ["m\xff.md", "\xc3(", "\xff\xfe"]) {
      const bytes = Buffer.concat([Buffer.from(`${wiki}/`), Buffer.from(name, "latin1")]);
      name.endsWith(".md") ? writeFileSync(bytes, "") : mkdirSync(bytes);
    }
    // Down to where one folder more is a longer path than is looked at.
    const name = "y".repeat(240);
    const descend = `for i in $(seq 16); do mkdir ${name} && cd ${name} && echo > p.md; done; mkdir ${name}`;
    execFileSync("sh", ["-c", descend], { cwd: wiki });
  }
  return { pages, close: () => void socket.close() };
}

/** Node takes away folders deeper than a path may be only by name, which such a name has not. */
export function removeOddFolder(vault: string): void {
  if (process.platform === "win32") return;
  execFileSync("rm", ["-rf", vault]);
}

function touch(file: string, time: string): void {
  execFileSync("touch", ["-d", time, file]);
}
