// The walk: what is listed, in which order, and that it costs and holds what it should.
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import * as Comlink from "comlink";
import nodeEndpoint from "comlink/dist/esm/node-adapter.mjs";
import { buildSync } from "esbuild";
import { afterEach, beforeEach, expect, test } from "vitest";
import { walk } from "../../src/worker/walk.ts";
import { type FileChunk, recordFiles } from "../../src/worker/walk-files.ts";
import type { WalkerApi } from "../../src/worker/walker.ts";
import { projectRoot, type TempFolder, tempFolder } from "../helpers/garden.ts";
import { makeOddFolder, type OddFolder, removeOddFolder } from "../helpers/odd-folder.ts";
import { startSwapping } from "../helpers/swapper.ts";

let folder: TempFolder;
let odd: OddFolder | undefined;
beforeEach(() => {
  folder = tempFolder("pi-wiki-walk-");
});
afterEach(() => {
  odd?.close();
  if (odd) removeOddFolder(folder.path);
  odd = undefined;
  folder[Symbol.dispose]();
});

interface Record {
  kind: string;
  size: number;
  mtime: bigint;
  links: number;
  local: number;
  path: string;
}

function recordsOf(listing: Uint8Array): Record[] {
  const texts = Buffer.from(listing).toString().split("\0");
  expect(texts.pop()).toBe("");
  return texts.map((text) => {
    const [, kind, size, mtime, links, local, path] = /^(\w) (\d+) (-?\d+) (\d+) (\d) (.*)$/s.exec(text)!;
    return {
      kind: kind!,
      size: Number(size),
      mtime: BigInt(mtime!),
      links: Number(links),
      local: Number(local),
      path: path!,
    };
  });
}

async function listed(wiki = "wiki"): Promise<Record[]> {
  return recordsOf(await walk(folder.path, wiki));
}

function put(name: string, text = "x"): void {
  mkdirSync(join(folder.path, name, ".."), { recursive: true });
  writeFileSync(join(folder.path, name), text);
}

test("one strange entry never hides its neighbours", async () => {
  odd = makeOddFolder(folder.path);
  const records = await listed();
  const pages = new Set(records.filter(({ kind }) => kind === "f").map(({ path }) => path));
  expect(odd.pages.length).toBeGreaterThan(10);
  for (const page of odd.pages) expect(pages).toContain(page);
  expect(pages).not.toContain("wiki/picture.png");
});

test.runIf(process.platform === "linux")("each kind of entry is told by its letter", async () => {
  odd = makeOddFolder(folder.path);
  const kinds = new Map((await listed()).map((record) => [record.path, record]));
  const kindOf = (name: string) => kinds.get(`wiki/${name}`)?.kind;
  expect(kindOf("link.md")).toBe("l");
  expect(kindOf("up")).toBe("l");
  expect(kindOf("picture link")).toBe("l");
  expect(kindOf("dead.md")).toBe("l");
  expect(kindOf(".hidden.md")).toBe("h");
  expect(kindOf(".trash")).toBe("h");
  expect(kindOf("pipe.md")).toBe("o");
  expect(kindOf("sock.md")).toBe("o");
  expect(kindOf("pipe")).toBeUndefined();
  expect(kindOf("m\ufffd.md")).toBe("n");
  expect([...kinds.values()].filter(({ kind }) => kind === "t").length).toBe(2);
  expect([...kinds.keys()].some((path) => path.includes("old.md"))).toBe(false);
  expect(kinds.get("wiki/hard.md")).toMatchObject({ kind: "f", links: 2 });
  expect(kinds.get("wiki/ghost.md")).toMatchObject({ kind: "f", size: 5000, local: 0 });
  expect(kinds.get("wiki/a.md")!.mtime).toBe(-1_000_000_001n);
  expect(kinds.get("wiki/empty.md")).toMatchObject({ size: 0, local: 1, mtime: 4_105_310_706_000_000_001n });
});

test("entries come in the order of their names' code points, a folder's where its name sorts", async () => {
  for (const name of ["b.md", "a/z.md", "a.md", "a b.md", "😀.md", "\uff5e.md", "\ue000.md", "A.md"])
    put(`wiki/${name}`);
  const paths = (await listed()).map(({ path }) => path.slice("wiki/".length));
  expect(paths).toEqual(["A.md", "a/z.md", "a b.md", "a.md", "b.md", "\ue000.md", "\uff5e.md", "😀.md"]);
});

test("the wiki folder is reached through no link, and what is in its place is told", async () => {
  put("real/notes/a.md");
  symlinkSync("real", join(folder.path, "linked"));
  put("file", "");
  expect(await listed("real/notes")).toMatchObject([{ kind: "f", path: "real/notes/a.md" }]);
  expect(await listed("linked/notes")).toMatchObject([{ kind: "l", path: "linked/notes" }]);
  expect(await listed("linked")).toMatchObject([{ kind: "l", path: "linked" }]);
  expect(await listed("missing/notes")).toMatchObject([{ kind: "v", path: "missing/notes" }]);
  expect(await listed("file")).toMatchObject([{ kind: "d", path: "file" }]);
});

test("a dot stands for the whole vault, hidden folders left out", async () => {
  put("a.md");
  put("wiki/b.md");
  put(".vault-meta/retrieval/index.md");
  expect((await listed(".")).map(({ kind, path }) => `${kind} ${path}`)).toEqual([
    "h .vault-meta",
    "f a.md",
    "f wiki/b.md",
  ]);
});

test.skipIf(process.platform === "win32")(
  "a folder without permission is named, and its neighbours are listed",
  async () => {
    put("wiki/closed/a.md");
    put("wiki/listed only/b.md");
    put("wiki/open.md");
    chmodSync(folder.path, 0o755);
    chmodSync(join(folder.path, "wiki/closed"), 0);
    chmodSync(join(folder.path, "wiki/listed only"), 0o644);
    const found = await asNobody(listed);
    chmodSync(join(folder.path, "wiki/closed"), 0o755);
    chmodSync(join(folder.path, "wiki/listed only"), 0o755);
    expect(found.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      "d wiki/closed",
      "d wiki/listed only/b.md",
      "f wiki/open.md",
    ]);
  },
);

/** An administrator may read everything, so the looking is done as somebody else. */
async function asNobody<T>(look: () => Promise<T>): Promise<T> {
  if (process.getuid!() !== 0) return look();
  process.seteuid!(65_534);
  try {
    return await look();
  } finally {
    process.seteuid!(0);
  }
}

test("thousands of folders do not use up descriptors, and none stays open", async () => {
  for (let i = 0; i < 600; i++) put(`wiki/f${i}/page.md`);
  await listed();
  const open = () => (existsSync("/proc/self/fd") ? readdirSync("/proc/self/fd").length : 0);
  const before = open();
  expect((await listed()).length).toBe(600);
  expect(open()).toBe(before);
});

test.runIf(process.platform === "linux")("a folder swapped for a link never lists a name from outside", async () => {
  put("wiki/d/inside.md");
  put("outside/secret.md");
  symlinkSync(join(folder.path, "outside"), join(folder.path, "link"));
  const swapper = await startSwapping(join(folder.path, "wiki/d"), join(folder.path, "link"));
  const seen = new Set<string>();
  const end = Date.now() + 3_000;
  let walks = 0;
  for (; Date.now() < end; walks++) for (const { kind, path } of await listed()) seen.add(`${kind} ${path}`);
  expect(await swapper.stop()).toBeGreaterThan(10_000);
  expect(walks).toBeGreaterThan(100);
  expect([...seen].filter((record) => record.includes("secret"))).toEqual([]);
  expect(seen).toContain("f wiki/d/inside.md");
});

test.runIf(process.platform === "linux")(
  "a folder that became a link after it was listed lends no size from behind the link",
  async () => {
    put("wiki/d/page.md", "inside");
    put("outside/page.md", "a longer text outside");
    const swapping = async (chunks: readonly FileChunk[]) => {
      renameSync(join(folder.path, "wiki/d"), join(folder.path, "moved"));
      symlinkSync(join(folder.path, "outside"), join(folder.path, "wiki/d"));
      return chunks.map(recordFiles);
    };
    expect(recordsOf(await walk(folder.path, "wiki", swapping))).toMatchObject([{ path: "wiki/d/page.md", size: 6 }]);
  },
);

/** The thread as it is built, without building the package. */
function startWalker(root: string) {
  const outfile = join(folder.path, "walker.mjs");
  buildSync({
    entryPoints: [join(projectRoot, "src/worker/walker.ts")],
    bundle: true,
    platform: "node",
    format: "esm",
    outfile,
  });
  const thread = new Worker(outfile, { workerData: { root, wiki: "wiki" } });
  return { thread, api: Comlink.wrap<WalkerApi>(nodeEndpoint(thread)) };
}

test("the thread lists a large vault alike with and without its helper, and sees what changed in between", async () => {
  for (let i = 0; i < 4_500; i++) put(`wiki/${i % 7}/page-${i}.md`);
  const { thread, api } = startWalker(folder.path);
  try {
    const alone = Buffer.from(await walk(folder.path, "wiki"));
    for (let round = 0; round < 8; round++) expect(Buffer.from(await api.walk()).equals(alone)).toBe(true);
    rmSync(join(folder.path, "wiki/3/page-3.md"));
    renameSync(join(folder.path, "wiki/4/page-4.md"), join(folder.path, "wiki/5/moved.md"));
    const after = recordsOf(await api.walk()).map(({ path }) => path);
    expect(after.length).toBe(4_499);
    expect(after).toContain("wiki/5/moved.md");
    expect(after).not.toContain("wiki/3/page-3.md");
  } finally {
    await thread.terminate();
  }
});

test("two walks asked at once are both answered", async () => {
  put("wiki/a.md");
  const { thread, api } = startWalker(folder.path);
  try {
    const [one, other] = await Promise.all([api.walk(), api.walk()]);
    expect(Buffer.from(one).equals(Buffer.from(other))).toBe(true);
  } finally {
    await thread.terminate();
  }
});
