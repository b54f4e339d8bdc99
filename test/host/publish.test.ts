// Writing index files into a vault: whole or not at all, through no link, one run at a time.
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { afterEach, beforeEach, expect, test } from "vitest";
import { frameReader } from "../../src/publish/frames.ts";
import { beginPublication } from "../../src/publish/publish.ts";
import { projectRoot, type TempFolder, tempFolder } from "../helpers/garden.ts";
import { startSwapping } from "../helpers/swapper.ts";
import { picture } from "../helpers/untouched.ts";

let folder: TempFolder;
let vault: string;
let retrieval: string;
beforeEach(() => {
  folder = tempFolder("pi-wiki-publish-");
  vault = join(folder.path, "vault");
  retrieval = join(vault, ".vault-meta/retrieval");
  mkdirSync(join(vault, "wiki"), { recursive: true });
});
afterEach(() => folder[Symbol.dispose]());

const bytes = (text: string) => new TextEncoder().encode(text);

async function publish(name: string, ...texts: string[]) {
  const publication = beginPublication(vault);
  for (const text of texts) publication.append(name, bytes(text));
  return publication.commit();
}

test("chunks become one file, the folders are made, and nothing else is left", async () => {
  expect(await publish("index.bin", "one ", "two")).toEqual([{ path: ".vault-meta/retrieval/index.bin", bytes: 7 }]);
  expect(readFileSync(join(retrieval, "index.bin"), "utf8")).toBe("one two");
  expect(readdirSync(retrieval)).toEqual(["index.bin"]);
});

test("two files are published together", async () => {
  const publication = beginPublication(vault);
  publication.append("index.bin", bytes("a"));
  publication.append("bm25.json", bytes("{}"));
  publication.append("index.bin", bytes("b"));
  expect((await publication.commit()).map(({ path }) => path)).toEqual([
    ".vault-meta/retrieval/bm25.json",
    ".vault-meta/retrieval/index.bin",
  ]);
  expect(readFileSync(join(retrieval, "index.bin"), "utf8")).toBe("ab");
});

test("an empty file is a file", async () => {
  await publish("index.bin", "");
  expect(statSync(join(retrieval, "index.bin")).size).toBe(0);
});

test("until the commit the old file is there whole, and after an abort it still is", async () => {
  await publish("index.bin", "old");
  const before = picture(join(retrieval, "index.bin"));
  const publication = beginPublication(vault);
  publication.append("index.bin", bytes("new, half-written"));
  expect(readFileSync(join(retrieval, "index.bin"), "utf8")).toBe("old");
  publication.abort();
  publication.abort();
  expect(picture(join(retrieval, "index.bin"))).toEqual(before);
  expect(readdirSync(retrieval)).toEqual(["index.bin"]);
  expect(() => publication.append("index.bin", bytes("x"))).toThrow(/no longer/);
});

test("permissions of the old file are kept", async () => {
  await publish("index.bin", "old");
  chmodSync(join(retrieval, "index.bin"), 0o640);
  await publish("index.bin", "new");
  expect(statSync(join(retrieval, "index.bin")).mode & 0o777).toBe(0o640);
});

test("another file that shares its content by a hard link keeps it", async () => {
  await publish("index.bin", "old");
  linkSync(join(retrieval, "index.bin"), join(folder.path, "elsewhere"));
  await publish("index.bin", "new");
  expect(readFileSync(join(folder.path, "elsewhere"), "utf8")).toBe("old");
});

test.each([
  ["the folder of all", ".vault-meta", "invalid-input"],
  ["the folder of index files", ".vault-meta/retrieval", "invalid-input"],
])("a link in place of %s is refused, and nothing is written behind it", async (_what, name, code) => {
  const outside = join(folder.path, "outside");
  mkdirSync(outside);
  mkdirSync(join(vault, name, ".."), { recursive: true });
  symlinkSync(outside, join(vault, name));
  expect(() => beginPublication(vault)).toThrow(expect.objectContaining({ code }));
  expect(readdirSync(outside)).toEqual([]);
});

test("a link in place of the file is refused, whether it was there before or came meanwhile", async () => {
  const secret = join(folder.path, "secret");
  writeFileSync(secret, "secret");
  mkdirSync(retrieval, { recursive: true });
  symlinkSync(secret, join(retrieval, "index.bin"));
  await expect(publish("index.bin", "x")).rejects.toThrow(/is a link/);
  const publication = beginPublication(vault);
  publication.append("bm25.json", bytes("x"));
  symlinkSync(secret, join(retrieval, "bm25.json"));
  await expect(publication.commit()).rejects.toMatchObject({ code: "invalid-input" });
  expect(readFileSync(secret, "utf8")).toBe("secret");
  expect(readdirSync(retrieval).sort()).toEqual(["bm25.json", "index.bin"]);
});

test("a file in place of the folder, and a folder in place of the file, are refused", async () => {
  mkdirSync(join(retrieval, "index.bin"), { recursive: true });
  await expect(publish("index.bin", "x")).rejects.toMatchObject({ code: "invalid-input" });
  writeFileSync(join(vault, "plain"), "");
  mkdirSync(join(folder.path, "other"));
  writeFileSync(join(folder.path, "other/.vault-meta"), "");
  expect(() => beginPublication(join(folder.path, "other"))).toThrow(/is a link, or not/);
});

test.each(["../wiki/page.md", "state.json", ".index.bin", "index.bin/x", ""])(
  "the name %j is no index file",
  (name) => {
    const publication = beginPublication(vault);
    expect(() => publication.append(name, bytes("x"))).toThrow(/no index file/);
    publication.abort();
    expect(readdirSync(retrieval)).toEqual([]);
  },
);

test("a second run at the same time is told whom it waits for, and may run afterwards", async () => {
  const first = beginPublication(vault);
  expect(() => beginPublication(vault)).toThrow(new RegExp(`process ${process.pid}`));
  first.abort();
  await publish("index.bin", "x");
});

/** Begins a publication in a process of its own, which then does what it is told until it ends or is killed. */
function elsewhere(then: string) {
  const program = join(folder.path, "elsewhere.mjs");
  buildSync({
    stdin: {
      contents: `import { beginPublication } from "./publish.ts";
        const publication = beginPublication(${JSON.stringify(vault)});
        publication.append("index.bin", new TextEncoder().encode("half"));
        console.log("begun");
        ${then}`,
      resolveDir: join(projectRoot, "src/publish"),
    },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: program,
  });
  return spawn(process.execPath, [program], { stdio: ["ignore", "pipe", "inherit"] });
}

test("a run that was killed leaves a lock that the next run sees through, and parts that go in time", async () => {
  const child = elsewhere("setInterval(() => {}, 1000);");
  await once(child.stdout, "data");
  expect(() => beginPublication(vault)).toThrow(/being written/);
  child.kill("SIGKILL");
  await once(child, "close");
  const [part] = readdirSync(retrieval).filter((name) => name.endsWith(".part"));
  await publish("bm25.json", "{}");
  expect(existsSync(join(retrieval, part!))).toBe(true);
  const longAgo = Date.now() / 1000 - 24 * 3600;
  utimesSync(join(retrieval, part!), longAgo, longAgo);
  await publish("bm25.json", "{}");
  expect(readdirSync(retrieval)).toEqual(["bm25.json"]);
});

test("a process that ends in the middle leaves nothing behind", async () => {
  const child = elsewhere("process.exit(1);");
  await once(child, "close");
  expect(readdirSync(retrieval)).toEqual([]);
});

test("a lock from another computer holds until it is old", async () => {
  mkdirSync(retrieval, { recursive: true });
  const lock = join(retrieval, ".publishing");
  writeFileSync(lock, JSON.stringify({ process: 1, host: "elsewhere", begun: "" }));
  expect(() => beginPublication(vault)).toThrow(/on elsewhere/);
  const longAgo = Date.now() / 1000 - 24 * 3600;
  utimesSync(lock, longAgo, longAgo);
  await publish("index.bin", "x");
  expect(readdirSync(retrieval)).toEqual(["index.bin"]);
});

test.runIf(process.platform === "linux")(
  "a folder swapped for a link all the while gets nothing written behind it",
  async () => {
    const outside = join(folder.path, "outside");
    mkdirSync(outside);
    mkdirSync(retrieval, { recursive: true });
    symlinkSync(outside, join(folder.path, "link"));
    const swapper = await startSwapping(retrieval, join(folder.path, "link"));
    let published = 0;
    let refused = 0;
    const end = Date.now() + 3_000;
    while (Date.now() < end) {
      try {
        const publication = beginPublication(vault);
        publication.append("index.bin", bytes("x"));
        await publication.commit();
        published++;
      } catch (error) {
        expect(error).toMatchObject({ code: "invalid-input" });
        refused++;
      }
    }
    expect(await swapper.stop()).toBeGreaterThan(1_000);
    expect(published).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
    expect(readdirSync(outside)).toEqual([]);
  },
);

test("what the sandbox emits is put together by its headers", () => {
  const files: Record<string, string> = {};
  const read = frameReader((name, chunk) => {
    files[name] = (files[name] ?? "") + Buffer.from(chunk).toString();
  });
  for (const text of ['{"name":"a","bytes":5}', "he", "llo", '{"name":"b","bytes":0}', '{"name":"a","bytes":1}', "!"]) {
    read(bytes(text));
  }
  expect(files).toEqual({ a: "hello!", b: "" });
});

test.each([["hello"], ["null"], ['{"name":"a"}'], ['{"name":"a","bytes":-1}'], ['{"name":"a","bytes":2}', "abc"]])(
  "bytes out of step are refused: %j",
  (...messages) => {
    const read = frameReader(() => {});
    expect(() => messages.map((message) => read(bytes(message)))).toThrow(/out of order/);
  },
);
