// The host half of the read-only file system by itself: true numbers, and what is there and what is not.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeReadOnlyFs, OP, type ReadOnlyFs, type ReadOnlyFsOptions } from "../../src/worker/rofs.ts";
import { ERRNO } from "../../src/worker/rofs-facts.ts";
import { type TempFolder, tempFolder } from "../helpers/garden.ts";
import { mountFolder } from "../helpers/mount-folder.ts";

const LINUX = process.platform === "linux";
const MODES = LINUX ? (["descriptors", "paths"] as const) : (["paths"] as const);

let folder: TempFolder;
let vault: string;
const mounts: ReadOnlyFs[] = [];
beforeEach(() => {
  folder = tempFolder("pi-wiki-rofs-");
  vault = join(folder.path, "vault");
  mkdirSync(join(vault, "wiki"), { recursive: true });
});
afterEach(() => {
  for (const mount of mounts.splice(0)) mount.close();
  folder[Symbol.dispose]();
});

function put(name: string, text = "text"): string {
  const path = join(vault, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
  return path;
}

function mount(options: ReadOnlyFsOptions = {}) {
  const mounted = mountFolder(vault, options);
  mounts.push(mounted.rofs);
  return mounted;
}

test("a vault that is no folder is refused with a sentence", () => {
  expect(() => makeReadOnlyFs(join(vault, "nope"))).toThrow(expect.objectContaining({ code: "vault-missing" }));
  expect(() => makeReadOnlyFs(put("file"))).toThrow(/is not a folder/);
});

test("a vault named by a link is the folder behind it", () => {
  symlinkSync(vault, join(folder.path, "link"));
  const rofs = makeReadOnlyFs(join(folder.path, "link"));
  mounts.push(rofs);
  expect(rofs.root).toBe(vault);
});

describe.each(MODES)("in the mode %s", (mode) => {
  test("an entry's twelve numbers are those of the system, to the nanosecond", () => {
    put("wiki/a.md", "hello\n");
    linkSync(join(vault, "wiki/a.md"), join(vault, "wiki/hard.md"));
    symlinkSync("a.md", join(vault, "wiki/link.md"));
    put("wiki/old.md");
    if (LINUX) execFileSync("touch", ["-d", "1969-12-31 23:59:58.999999999Z", join(vault, "wiki/old.md")]);
    const { stat, numbers } = mount({ mode });
    for (const name of ["", "wiki", "wiki/a.md", "wiki/hard.md", "wiki/link.md", "wiki/old.md"]) {
      expect(stat(name), name).toBe(0);
      const s = lstatSync(join(vault, name), { bigint: true });
      const { mode, dev, ino, nlink, size, mtimeNs, ctimeNs, atimeNs, uid, gid, rdev, blocks } = s;
      expect([...numbers], name).toEqual([
        mode,
        dev,
        ino,
        nlink,
        size,
        mtimeNs,
        ctimeNs,
        atimeNs,
        uid,
        gid,
        rdev,
        blocks,
      ]);
    }
  });

  test("a file is read in pieces, at any position, through one descriptor", () => {
    put("wiki/a.md", "0123456789");
    const { rofs, open, numbers } = mount({ mode });
    const file = open("wiki/a.md");
    expect(numbers[4]).toBe(10n);
    const bytes = new Uint8Array(8).fill(120);
    expect(rofs.call(OP.READ, file, bytes, 2, 3, 4)).toBe(3);
    expect(Buffer.from(bytes).toString()).toBe("xx456xxx");
    expect(rofs.call(OP.READ, file, bytes, 0, 8, 10)).toBe(0);
    expect(rofs.call(OP.READ, file, bytes, 0, 0, 0)).toBe(0);
    expect(rofs.call(OP.FSTAT, file, numbers)).toBe(0);
    expect(rofs.call(OP.CLOSE, file)).toBe(0);
    expect(rofs.call(OP.READ, file, bytes, 0, 8, 0)).toBe(-ERRNO.EBADF);
    expect(rofs.call(OP.CLOSE, file)).toBe(-ERRNO.EBADF);
  });

  test("hidden entries are not there, with the two exceptions that the package needs", () => {
    for (const name of [".git/config", ".obsidian/plugins/keys.json", ".trash/a.md", ".env", "wiki/.hidden.md"])
      put(name);
    for (const name of [".obsidian/app.json", ".vault-meta/retrieval/bm25.json", ".vault-meta/.secret"]) put(name);
    put("wiki/.vault-meta/a.md");
    put("wiki/.obsidian/app.json");
    const { read, list, stat } = mount({ mode });
    expect(list("")).toEqual(["d.obsidian", "d.vault-meta", "dwiki"]);
    expect(list(".obsidian")).toEqual(["fapp.json"]);
    expect(list(".vault-meta")).toEqual(["dretrieval"]);
    expect(read(".obsidian/app.json")).toBe("text");
    expect(read(".vault-meta/retrieval/bm25.json")).toBe("text");
    for (const name of [
      ".git/config",
      ".obsidian/plugins/keys.json",
      ".env",
      "wiki/.hidden.md",
      ".vault-meta/.secret",
    ]) {
      expect([read(name), stat(name)], name).toEqual([-ERRNO.ENOENT, -ERRNO.ENOENT]);
    }
    expect(read("wiki/.vault-meta/a.md")).toBe(-ERRNO.ENOENT);
    expect(read("wiki/.obsidian/app.json")).toBe(-ERRNO.ENOENT);
  });

  test("the exceptions are a folder and a file, not whatever bears their names", () => {
    put(".vault-meta");
    put(".obsidian/app.json/inner.json");
    const { read, enter } = mount({ mode });
    expect(read(".vault-meta")).toBe(-ERRNO.ENOENT);
    expect(enter(".obsidian/app.json")).toBe(-ERRNO.ENOENT);
  });

  test("nothing but a regular file with one name is opened, and no link is followed", async () => {
    put("wiki/a.md");
    writeFileSync(join(folder.path, "secret.md"), "SECRET");
    linkSync(join(folder.path, "secret.md"), join(vault, "wiki/hard.md"));
    symlinkSync(join(folder.path, "secret.md"), join(vault, "wiki/link.md"));
    symlinkSync("a.md", join(vault, "wiki/near.md"));
    symlinkSync(folder.path, join(vault, "wiki/out"));
    symlinkSync("nowhere", join(vault, "wiki/dead.md"));
    writeFileSync(join(vault, "wiki/ghost.md"), "");
    truncateSync(join(vault, "wiki/ghost.md"), 5_000);
    execFileSync("mkfifo", [join(vault, "wiki/pipe.md")]);
    const server = createServer().listen(join(vault, "wiki/sock.md"));
    await new Promise((resolve) => server.once("listening", resolve));
    const { read, enter, list } = mount({ mode });
    expect(read("wiki/hard.md")).toBe(-ERRNO.EPERM);
    expect(read("wiki/link.md")).toBe(-ERRNO.ELOOP);
    expect(read("wiki/near.md")).toBe(-ERRNO.ELOOP);
    expect(read("wiki/dead.md")).toBe(-ERRNO.ELOOP);
    expect([-ERRNO.ELOOP, -ERRNO.ENOTDIR]).toContain(enter("wiki/out"));
    expect([-ERRNO.ELOOP, -ERRNO.ENOTDIR]).toContain(read("wiki/out/secret.md"));
    expect(read("wiki/ghost.md")).toBe(-ERRNO.EPERM);
    expect(read("wiki/pipe.md")).toBe(-ERRNO.EPERM);
    expect(read("wiki/sock.md")).toBe(-ERRNO.EPERM);
    expect(read("wiki")).toBe(-ERRNO.EPERM);
    expect(enter("wiki/a.md")).toBe(-ERRNO.ENOTDIR);
    const shown = [
      "fa.md",
      "fghost.md",
      "fhard.md",
      "ldead.md",
      "llink.md",
      "lnear.md",
      "lout",
      "opipe.md",
      "osock.md",
    ];
    expect(list("wiki")).toEqual(shown);
    server.close();
  });

  test("only the name that the folder lists is the file's name", () => {
    put("wiki/a.md");
    put("wiki/\u00e9.md".normalize("NFC"));
    const { read, rofs } = mount({ mode });
    expect(read("wiki/a.md")).toBe("text");
    expect(read("wiki/\u00e9.md")).toBe("text");
    for (const name of [
      "A.md",
      "a.MD",
      "e\u0301.md",
      "a.md ",
      "a.md.",
      "a.md\0",
      "../vault",
      "..",
      ".",
      "/",
      "a.md/",
      "\ud800.md",
    ]) {
      const directory = rofs.call(OP.DIR, 0, "wiki");
      expect(rofs.call(OP.OPEN, directory, name, new BigInt64Array(12)), JSON.stringify(name)).toBe(-ERRNO.ENOENT);
      expect(rofs.call(OP.DIR, directory, name), JSON.stringify(name)).toBe(-ERRNO.ENOENT);
    }
  });

  test.runIf(LINUX)("a name that is not UTF-8 is left out of the list, and its neighbours stay (B1)", () => {
    put("wiki/a.md");
    put("wiki/real \ufffd.md");
    writeFileSync(Buffer.concat([Buffer.from(`${vault}/wiki/m`), Buffer.of(0xff), Buffer.from(".md")]), "bad");
    writeFileSync(Buffer.concat([Buffer.from(`${vault}/wiki/real `), Buffer.of(0xff), Buffer.from(".md")]), "bad");
    const { list, read } = mount({ mode });
    expect(list("wiki")).toEqual(["fa.md", "freal \ufffd.md"]);
    expect(read("wiki/m\ufffd.md")).toBe(-ERRNO.ENOENT);
    expect(read("wiki/real \ufffd.md")).toBe("text");
  });

  test("what changes is seen in the next request at the latest", () => {
    put("wiki/a.md", "one");
    const { read, list, rofs } = mount({ mode });
    expect(read("wiki/a.md")).toBe("one");
    put("wiki/a.md", "two");
    expect(read("wiki/a.md")).toBe("two");
    renameSync(join(vault, "wiki/a.md"), join(vault, "wiki/b.md"));
    expect(read("wiki/a.md")).toBe(-ERRNO.ENOENT);
    rofs.call(OP.RESET);
    expect(read("wiki/b.md")).toBe("two");
    rmSync(join(vault, "wiki"), { recursive: true });
    symlinkSync(folder.path, join(vault, "wiki"));
    rofs.call(OP.RESET);
    expect(list("wiki")).not.toContain("dvault");
  });

  test("a vault that was taken away is found empty, and found again when it is back", () => {
    put("wiki/a.md", "first");
    const { read, stat, rofs } = mount({ mode });
    renameSync(vault, `${vault}-away`);
    rofs.call(OP.RESET);
    expect(stat("")).toBe(-ERRNO.ENOENT);
    expect(read("wiki/a.md")).toBeLessThan(0);
    put("wiki/a.md", "second");
    rofs.call(OP.RESET);
    expect(read("wiki/a.md")).toBe("second");
  });

  test.skipIf(process.platform === "win32")("a folder without permission says so", () => {
    put("wiki/closed/a.md");
    chmodSync(folder.path, 0o755);
    chmodSync(join(vault, "wiki/closed"), 0);
    const { list } = mount({ mode });
    if (process.getuid!() === 0) process.seteuid!(65_534); // an administrator may read everything
    const found = list("wiki/closed");
    if (process.getuid!() === 0) process.seteuid!(0);
    chmodSync(join(vault, "wiki/closed"), 0o755);
    expect(found).toBe(-ERRNO.EACCES);
  });
});
