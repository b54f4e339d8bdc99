// Sandboxes are ended and started again all day: what each took comes back, and nothing of it stays behind.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { bundleProgram } from "../../scripts/bundle-program.mjs";
import { gardenVault, projectRoot } from "../helpers/garden.ts";
import { wasNodesOwnFault } from "../helpers/nodes-own-fault.ts";
import type { Report } from "../helpers/restarts.ts";

const MORE = 1.1; // memory may be this many times what it was

let report: Report;

beforeAll(async () => {
  using vault = gardenVault();
  const program = await bundleProgram("test/helpers/restarts.ts");
  report = await run([program, projectRoot, vault.path]).catch((error: Error) => {
    if (!wasNodesOwnFault(error.message)) throw error;
    return run([program, projectRoot, vault.path]);
  });
}, 480_000);

/** The report of a process that has ended by itself; held up by anything left, it is killed, and that is an error. */
async function run(argv: string[]): Promise<Report> {
  // One heap of the C library for all threads: with one for each, what they freed is still the process's.
  const env = { ...process.env, MALLOC_ARENA_MAX: "1" };
  const { stdout } = await promisify(execFile)(process.execPath, argv, { timeout: 230_000, env });
  return JSON.parse(stdout) as Report;
}

test("300 sandboxes were ended: when they were ready, in the middle of their start, and at its beginning", () => {
  const { ended } = report;
  expect(ended.ready + ended.starting + ended.new).toBe(300);
  expect(ended.ready).toBeGreaterThanOrEqual(60);
  expect(ended.starting).toBeGreaterThan(0);
});

test("they leave no memory behind: after all of them it is within a tenth of what it was after the first hundred", () => {
  const { early, late } = report.memory;
  expect(early).toBeGreaterThan(0);
  expect(late, `${early} bytes before`).toBeLessThan(early * MORE);
});

test("the process ends by itself, and no thread, port, timer or listener stays, whether their calls were answered or cancelled", () => {
  expect(report.calls).toEqual({ answered: 5, cancelled: 5 });
  expect(report.listeners).toBe(0);
  expect(report.after).toEqual(report.before);
  expect(report.before.handles).toEqual([]);
});
