// The mount as Python sees it inside the real sandbox: nothing in it can be changed, what is told of a file is true, and
// what lies outside is not seen even while another process swaps folders and files for links.
import { execFileSync } from "node:child_process";
import { linkSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { Lane } from "../../src/host/lane.ts";
import { projectRoot, tempFolder } from "../helpers/garden.ts";
import { harness } from "../helpers/probe.ts";
import { ask, laneOver, type RuntimeOptions, requestText, textOf } from "../helpers/runtime.ts";
import { startSwapping } from "../helpers/swapper.ts";
import { picture } from "../helpers/untouched.ts";

const LINUX = process.platform === "linux";
if (!LINUX) console.error("Races are not tried: the promise about them is kept on Linux.");

const SWAPS = 20_000; // the host half alone stands 100,000 (test/worker/rofs-race.test.ts)
const REQUESTS = 40;
const LARGE_INODES = new URL("../../fixtures/workers/large-inodes.mjs", import.meta.url);

let lane: Lane;
afterEach(() => lane.close());

/** Python's own doors are open unless the sandbox is tried as it is shipped: the mount has to hold without them. */
function start(root: string, options: RuntimeOptions = {}): void {
  lane = laneOver(root, { beforeSealing: harness(true), ...options });
}

/** What a program gives; `text` is Python source. */
async function said(text: string): Promise<string> {
  const reply = await ask(lane, requestText("search", { query: "x", python: text }), { needsListing: false });
  expect(reply.kind, reply.stderr).toBe("answered");
  return JSON.parse(textOf(reply)).payload.said;
}

/** Runs a program of fixtures/mount with `values` set above it. */
async function run<Result>(program: string, values: Record<string, unknown>): Promise<Result> {
  const set = Object.entries(values).map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`);
  const answer = await said(set.join("") + readFileSync(join(projectRoot, `fixtures/mount/${program}.py`), "utf8"));
  expect(answer).toMatch(/^\{/);
  return JSON.parse(answer);
}

describe("every way to write", () => {
  type Outcomes = Record<string, string>;

  /** What Python refuses in an ordinary folder too: there is no such call, or the file is open for reading only. */
  const NOWHERE: Outcomes = {
    "os.link": "AttributeError: module 'os' has no attribute 'link'",
    "write while reading": "UnsupportedOperation",
    "truncate while reading": "UnsupportedOperation",
    "os.write while reading": "EBADF",
    "os.pwrite while reading": "EBADF",
    "os.writev while reading": "EBADF",
    "os.ftruncate while reading": "EINVAL",
    "mmap while reading": "EACCES",
  };
  /** Where it is not the error of a read-only file system that says no. */
  const IN_VAULT: Outcomes = {
    ...NOWHERE,
    "os.rename out": "EXDEV",
    "os.rename in": "EXDEV",
    "os.replace from outside": "EXDEV",
    "sqlite3 insert": "OperationalError: attempt to write a readonly database",
    "sqlite3 drop": "OperationalError: attempt to write a readonly database",
    "sqlite3 pragma": "OperationalError: attempt to write a readonly database",
    "sqlite3 a new database": "OperationalError: unable to open database file",
    "sqlite3 vacuum into": "OperationalError: unable to open database: /vault/wiki/new",
  };
  const NOT_SHIPPED = /^(sqlite3|mmap) /;

  const NEW_DATABASE = `
import base64, sqlite3
def probe():
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE notes (text)")
    return base64.b64encode(database.serialize()).decode()
`;

  test("succeeds in an ordinary folder, fails in the vault, and leaves it as it was to the byte", async () => {
    using vault = tempFolder("mount-");
    mkdirSync(join(vault.path, "wiki/empty"), { recursive: true });
    for (const name of ["wiki/page.md", "wiki/other.md"]) writeFileSync(join(vault.path, name), "A page.\n");
    start(vault.path);
    const database = await said(NEW_DATABASE);
    expect(database).toMatch(/^[\w+/]{1000,}=*$/);
    writeFileSync(join(vault.path, "notes.db"), Buffer.from(database, "base64"));
    const before = picture(vault.path);

    const ordinary = await run<Outcomes>("writes", { ROOT: "/tmp/vault" });
    const names = Object.keys(ordinary);
    const outcomes = (of: (name: string) => string): Outcomes =>
      Object.fromEntries(names.map((name) => [name, of(name)]));
    expect(ordinary).toEqual(outcomes((name) => NOWHERE[name] ?? "done"));
    expect(names.length).toBeGreaterThan(90);

    const inVault = (name: string) => IN_VAULT[name] ?? "EROFS";
    expect(await run("writes", { ROOT: "/vault" })).toEqual(outcomes(inVault));
    expect(picture(vault.path)).toEqual(before);

    await lane.close();
    start(vault.path, { beforeSealing: harness(false) });
    const shipped = (name: string) => (NOT_SHIPPED.test(name) ? "ImportError" : inVault(name));
    expect(await run("writes", { ROOT: "/vault" })).toEqual(outcomes(shipped));
    expect(picture(vault.path)).toEqual(before);
  });
});

describe("what Python is told of a file is what the system says", () => {
  const PAGES = ["wiki/page.md", "wiki/empty.md", "wiki/before-1970.md", "wiki/after-2038.md"];
  const NAMES = ["", "wiki", ...PAGES, "wiki/one-of-two.md", "wiki/link.md"];

  test.each([
    ["the machine's own file system", {}, 0n],
    ["a file system with inodes of 64 bits", { entry: LARGE_INODES }, 2n ** 63n],
  ])("on %s", async (_where, options, more) => {
    using vault = tempFolder("mount-");
    const at = (name: string) => join(vault.path, name);
    mkdirSync(at("wiki"));
    for (const name of [...PAGES, "wiki/one-of-two.md"]) writeFileSync(at(name), "A page.\n".repeat(999));
    writeFileSync(at("wiki/empty.md"), "", { mode: 0o640 });
    linkSync(at("wiki/one-of-two.md"), at("wiki/two-of-two.md"));
    symlinkSync("page.md", at("wiki/link.md"));
    touch("-m", "1969-12-31T23:59:58.999999999Z", at("wiki/before-1970.md"));
    touch("-m", "2100-02-03T04:05:06.000000001Z", at("wiki/after-2038.md"));
    // Later than all else, so that no look changes it.
    for (const name of NAMES) touch("-a", "2098-07-06T05:04:03.987654321Z", at(name));

    start(vault.path, options);
    const facts = await run<Record<string, Record<string, string>>>("facts", { NAMES });
    for (const name of NAMES) expect(facts[name], name).toEqual(factsOf(at(name), more));
    const opened = Object.keys(facts).filter((name) => !NAMES.includes(name));
    expect(opened).toEqual(["", "wiki", ...PAGES].map((name) => `${name} open`));
    for (const name of opened) expect(facts[name], name).toEqual(facts[name.slice(0, -" open".length)]);
  });

  function touch(which: string, time: string, path: string): void {
    execFileSync("touch", ["-h", which, "-d", time, path]);
  }

  function factsOf(path: string, more: bigint): Record<string, string> {
    const stat = lstatSync(path, { bigint: true });
    const { mode, nlink, size, uid, gid, blocks } = stat;
    const times = { mtime_ns: stat.mtimeNs, ctime_ns: stat.ctimeNs, atime_ns: stat.atimeNs };
    // Emscripten has 32 bits for a device.
    const facts = {
      mode,
      nlink,
      size,
      uid,
      gid,
      blocks,
      ...times,
      ino: stat.ino + more,
      dev: BigInt.asUintN(32, stat.dev),
    };
    return Object.fromEntries(Object.entries(facts).map(([fact, value]) => [fact, String(value)]));
  }
});

test.runIf(LINUX).each([
  ["a folder", "wiki/d", "folder-link"],
  ["a file", "wiki/f.md", "file-link"],
])("%s that is now and then a link never shows Python a byte or a name from outside", async (_what, swapped, link) => {
  using folder = tempFolder("mount-race-");
  const at = (name: string) => join(folder.path, name);
  mkdirSync(at("vault/wiki/d"), { recursive: true });
  mkdirSync(at("outside"));
  for (const name of ["wiki/d/f.md", "wiki/f.md"]) writeFileSync(at(`vault/${name}`), "INSIDE");
  for (const name of ["f.md", "secret.md"]) writeFileSync(at(`outside/${name}`), "A SECRET");
  symlinkSync(at("outside"), at("folder-link"));
  symlinkSync(at("outside/f.md"), at("file-link"));

  start(at("vault"));
  const seen = new Map<string, number>();
  const listed = new Set<string>();
  const swapper = await startSwapping(at(`vault/${swapped}`), at(link));
  // A request holds the folders that it has met, so each request runs the race anew.
  for (let request = 0; request < REQUESTS || swapper.swaps < SWAPS; request++) {
    const round = await run<{ seen: Record<string, number>; listed: string[] }>("race", { ROUNDS: 3 });
    for (const [what, times] of Object.entries(round.seen)) seen.set(what, (seen.get(what) ?? 0) + times);
    for (const name of round.listed) listed.add(name);
  }
  const swaps = await swapper.stop();

  const inside = ["INSIDE", "6 bytes"];
  const refused = ["ELOOP", "ENOENT", "ENOTDIR", "ESTALE"];
  const linksOwn = `${at(link === "file-link" ? "outside/f.md" : "outside").length} bytes`;
  const story = JSON.stringify([...seen]);
  expect([...seen.keys()].filter((what) => ![...inside, ...refused, linksOwn].includes(what))).toEqual([]);
  expect([...listed].filter((name) => !["d", "f.md"].includes(name))).toEqual([]);
  for (const what of inside) expect(seen.get(what), story).toBeGreaterThan(50);
  expect(seen.get("ELOOP"), story).toBeGreaterThan(10); // the swapping was met with
  expect(swaps).toBeGreaterThanOrEqual(SWAPS);
});
