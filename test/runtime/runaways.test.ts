// Whatever runs away in a sandbox ends within its deadline with the code that says what it was, holds up neither the
// agent's event loop nor a neighbour's call, and the next call works.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Lane } from "../../src/host/lane.ts";
import { envelopeOf } from "../../src/host/response.ts";
import type { Envelope, Operation, Payload, Wiki } from "../../src/index.ts";
import { failureFrom } from "../../src/shared/envelope.ts";
import { gardenVault, projectRoot } from "../helpers/garden.ts";
import { heldUpDuring } from "../helpers/loop-watch.ts";
import { RUNAWAYS, runawayVault } from "../helpers/runaways.ts";
import { ask, laneOver, requestText } from "../helpers/runtime.ts";

const LATE_MS = 500;
const HELD_UP_MS = 50;
const HARNESS = readFileSync(join(projectRoot, "fixtures/runaways/harness.py"), "utf8");
const FRAGILE = new URL("../../fixtures/workers/fragile.mjs", import.meta.url);
const built = pathToFileURL(join(projectRoot, "dist/index.js")).href;
const { openWiki } = (await import(built)) as typeof import("../../src/index.ts");

/** One sandbox and the queue of its calls. */
type Subject = (operation: Operation, args: Payload, deadlineMs?: number) => Promise<Envelope>;

const vaults = [gardenVault(), gardenVault()] as const;
const env = { PI_WIKI_TIMEOUT_MS: "" };
let lane: Lane; // one for all Python runaways, so that each is the next call of the one before
let wiki: Wiki;
let neighbour: Wiki;

beforeAll(async () => {
  lane = laneOver(vaults[0].path, { beforeSealing: HARNESS, entry: FRAGILE, answer: () => new Promise(() => {}) });
  wiki = openWiki({ env });
  neighbour = openWiki({ vault: vaults[1].path, env: {} });
  expect(await neighbour.call("search", { query: "tomato" })).toMatchObject({ ok: true });
});

afterAll(async () => {
  await Promise.all([lane.close(), wiki.close(), neighbour.close()]);
  for (const vault of vaults) vault[Symbol.dispose]();
});

test.each(RUNAWAYS)("%s", async (_what, runaway) => {
  using vault = runaway.vault && runawayVault(runaway.vault);
  const call = vault ? vaultSubject(vault.path) : pythonSubject(lane);
  const next: [Operation, Payload] = vault ? ["outline", { page: "wiki/other.md" }] : ["search", { query: "tomato" }];
  expect(await call(...next)).toMatchObject({ ok: true });

  const heldUp = await heldUpDuring(async () => {
    const order: string[] = [];
    const began = performance.now();
    const [operation, args] = runaway.call ?? ["search", { query: "tomato", python: runaway.python }];
    const running = call(operation, args, runaway.deadlineMs).finally(() => order.push("runaway"));
    const queued = call(...next);
    const beside = neighbour.call("search", { query: "tomato" }).finally(() => order.push("neighbour"));

    const envelope = await running;
    expect(performance.now() - began).toBeLessThan(runaway.deadlineMs + LATE_MS);
    expect(envelope.ok ? "ok" : envelope.code, JSON.stringify(envelope)).toBe(runaway.ends);
    if (runaway.says) expect(JSON.stringify(envelope)).toMatch(runaway.says);
    expect(await beside).toMatchObject({ ok: true });
    expect(await queued).toMatchObject({ ok: true });
    if (runaway.ends === "deadline") expect(order).toEqual(["neighbour", "runaway"]); // nobody waited for it
  }, HELD_UP_MS);
  expect(heldUp).toBeLessThan(HELD_UP_MS);
  expect(await call(...next)).toMatchObject({ ok: true });
});

function pythonSubject(lane: Lane): Subject {
  return async (operation, args, deadlineMs = 30_000) => {
    try {
      return envelopeOf(operation, await ask(lane, requestText(operation, args), { deadlineMs }));
    } catch (thrown) {
      return failureFrom(operation, thrown);
    }
  };
}

/** A vault asked by the built package, in a sandbox of its own. */
function vaultSubject(vault: string): Subject {
  return (operation, args, deadlineMs = 30_000) => {
    env.PI_WIKI_TIMEOUT_MS = String(deadlineMs); // each call reads it anew
    return wiki.call(operation, { ...args, vault });
  };
}
