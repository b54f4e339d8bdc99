// JavaScript that already runs inside the realm finds no way out of it. `node:vm` is not promised to be a wall, so this
// is tried on every Node that is at hand (scripts/every-node.mjs tries it on all that are supported).
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { bundleProgram } from "../../scripts/bundle-program.mjs";
import { gardenVault, projectRoot } from "../helpers/garden.ts";
import type { Report } from "../helpers/membrane.ts";

test("no object of the host is reachable, no attack gets out, and leaks made on purpose are noticed", async () => {
  using vault = gardenVault();
  const program = await bundleProgram("test/helpers/membrane.ts");
  const output = execFileSync(process.execPath, [program, projectRoot, vault.path], { encoding: "utf8" });
  const report = JSON.parse(output) as Report;
  for (const [leak, noticed] of Object.entries(report.controls)) expect(noticed, leak).toContain("OUT");
  expect(report.walk).toMatchObject({ whole: true, found: [] });
  expect(report.walk.count).toBeGreaterThan(10_000);
  expect(Object.keys(report.attacks).length).toBeGreaterThanOrEqual(25);
  for (const [name, got] of Object.entries(report.attacks)) expect(got, name).toBe("");
  expect(report.late).toMatch(/^(ended)?$/);
});
