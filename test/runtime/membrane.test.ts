// JavaScript that already runs inside the realm finds no way out of it. `node:vm` is not promised to be a wall, so this
// is tried here on this Node, and by scripts/every-node.mjs on all that are supported.
import { expect, test } from "vitest";
import { gardenVault } from "../helpers/garden.ts";
import { breaches, membraneProgram, membraneReport } from "../helpers/membrane-report.ts";

test("no object of the host is reachable, no attack gets out, and leaks made on purpose are noticed", async () => {
  using vault = gardenVault();
  expect(breaches(await membraneReport(process.execPath, await membraneProgram(), vault.path))).toEqual([]);
});
