// The realm attacked from inside: `node:vm` is not promised to be a wall, so each Node has to show that it is one.
import assert from "node:assert/strict";
import { gardenVault } from "../helpers/garden.ts";
import { breaches, membraneProgram, membraneReport } from "../helpers/membrane-report.ts";

let program: Promise<string> | undefined;

export function checks(node: string): Record<string, () => Promise<void>> {
  return { "no attack gets out of the realm, and leaks made on purpose are noticed": () => attacked(node) };
}

async function attacked(node: string): Promise<void> {
  using vault = gardenVault();
  program ??= membraneProgram();
  assert.deepEqual(breaches(await membraneReport(node, await program, vault.path)), []);
}
