// The bounds of the read-only file system: what it holds open, for how long, and what it does with anything it is handed.
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import vm from "node:vm";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { OP, type ReadOnlyFs, type ReadOnlyFsOptions } from "../../src/worker/rofs.ts";
import { ERRNO, MOUNT_LIMITS } from "../../src/worker/rofs-facts.ts";
import { type TempFolder, tempFolder } from "../helpers/garden.ts";
import { mountFolder } from "../helpers/mount-folder.ts";
import { picture } from "../helpers/untouched.ts";

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

describe.each(MODES)("in the mode %s", (mode) => {
  test("a new request closes what the last one left open", () => {
    for (let i = 0; i < 20; i++) put(`wiki/${i}/a.md`);
    const { open, rofs } = mount({ mode });
    const descriptors = () => (LINUX ? readdirSync("/proc/self/fd").length : 0);
    const before = descriptors();
    for (let i = 0; i < 20; i++) expect(open(`wiki/${i}/a.md`)).toBeGreaterThan(0);
    expect(rofs.openCounts()).toEqual({ directories: 22, files: 20 });
    rofs.call(OP.RESET);
    expect(rofs.openCounts()).toEqual({ directories: 1, files: 0 });
    expect(descriptors()).toBe(before);
  });

  test("at most so many files are open, and one more when one is closed", () => {
    put("wiki/a.md");
    const { open, rofs } = mount({ mode });
    const files = Array.from({ length: MOUNT_LIMITS.filesOpen }, () => open("wiki/a.md"));
    expect(files.every((file) => (file as number) > 0)).toBe(true);
    expect(open("wiki/a.md")).toBe(-ERRNO.EMFILE);
    rofs.call(OP.CLOSE, files[0]);
    expect(open("wiki/a.md")).toBeGreaterThan(0);
  });

  test("directories beyond the limit are forgotten, and entered again by name", () => {
    for (let i = 0; i < 40; i++) put(`wiki/${i}/a.md`, `text ${i}`);
    const { read, enter, rofs } = mount({ mode, directoryLimit: 8 });
    const first = enter("wiki/0");
    for (let i = 0; i < 40; i++) expect(read(`wiki/${i}/a.md`)).toBe(`text ${i}`);
    expect(rofs.openCounts().directories).toBeLessThanOrEqual(8);
    expect(rofs.call(OP.LIST, first)).toBe(-ERRNO.ESTALE);
    expect(read("wiki/0/a.md")).toBe("text 0");
  });

  test("folders nested beyond every use are not entered", () => {
    const deep = "d/".repeat(MOUNT_LIMITS.depth + 1);
    mkdirSync(join(vault, deep), { recursive: true });
    const { enter } = mount({ mode });
    expect(enter(deep.slice(2))).toBeGreaterThan(0);
    expect(enter(deep)).toBe(-ERRNO.ENAMETOOLONG);
  });

  test("arrays of another realm are filled, and nothing of what they claim to be is run", () => {
    put("wiki/a.md", "hello");
    const { rofs } = mount({ mode });
    const context = vm.createContext({ call: rofs.call });
    const found = vm.runInContext(
      `const ran = [];
       const numbers = new BigInt64Array(12), bytes = new Uint8Array(8);
       for (const array of [numbers, bytes]) for (const name of ["buffer", "byteLength", "byteOffset", "length", "constructor"])
         Object.defineProperty(array, name, { get() { ran.push(name); return undefined; } });
       for (const name of ["buffer", "byteLength", "byteOffset", "length"])
         Object.defineProperty(Object.getPrototypeOf(Uint8Array.prototype), name, { get() { ran.push(name); } });
       const d = call(2, 0, "wiki");
       const f = call(4, d, "a.md", numbers);
       const n = call(6, f, bytes, 1, 5, 0);
       const proxied = call(1, d, "a.md", new Proxy(numbers, { get(...x) { ran.push("proxy"); }, set() { ran.push("set"); } }));
       const text = call(1, d, { toString() { ran.push("toString"); return "a.md"; } }, numbers);
       [n, String.fromCharCode(...[1, 2, 3, 4, 5].map((i) => bytes[i])), String(numbers[4]), proxied < 0, text < 0, ran.join()];`,
      context,
    );
    expect([...found]).toEqual([5, "hello", "5", true, true, ""]);
  });

  test("whatever it is called with, it answers with a number or a text, and changes nothing", () => {
    put("wiki/a.md");
    put("wiki/sub/b.md");
    const before = picture(vault);
    const { rofs } = mount({ mode });
    const anything = fc.oneof(
      fc.integer({ min: -3, max: 12 }),
      fc.constantFrom("wiki", "a.md", "sub", "", "..", ".git", "wiki/a.md", "\0", "\ud800"),
      fc.constantFrom(
        new BigInt64Array(12),
        new BigInt64Array(3),
        new Uint8Array(16),
        new DataView(new ArrayBuffer(8)),
      ),
      fc.constantFrom<unknown>(undefined, null, Number.NaN, 1.5, 2 ** 60, 7n, Symbol("s"), () => 1, {}, [], true),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(anything, anything, anything, anything, anything, anything), { maxLength: 30 }),
        (calls) => {
          for (const [op, ...args] of calls) expect(["number", "string"]).toContain(typeof rofs.call(op, ...args));
        },
      ),
      { numRuns: 500, seed: 7 },
    );
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    for (let op = 0; op < 8; op++) expect(["number", "string"]).toContain(typeof rofs.call(op, proxy, proxy, proxy));
    expect(picture(vault)).toEqual(before);
  });
});
