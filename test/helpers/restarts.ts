// A program: starts sandboxes and ends them, over and over, in a process of its own, and prints what that cost and what
// it left, as one line of JSON. Then nothing may keep it alive.
import { createHook } from "node:async_hooks";
import { getEventListeners } from "node:events";
import process from "node:process";
import { pathToFileURL } from "node:url";
import v8 from "node:v8";
import vm from "node:vm";
import { loadAssets } from "../../src/assets/parts.ts";
import { Lane } from "../../src/host/lane.ts";
import { Sandbox, type SandboxOptions } from "../../src/host/sandbox.ts";

export interface Report {
  /** Sandboxes that were ended when they were ready, in the middle of their start, and at its beginning. */
  ended: { ready: number; starting: number; new: number };
  /** Bytes of memory that the process held: the least after each of five rounds, early and at the end. */
  memory: { early: number; late: number };
  /** Calls that were answered, and calls that were cancelled while Python ran. */
  calls: { answered: number; cancelled: number };
  /** Listeners on the signals of those calls. */
  listeners: number;
  /** What kept the process alive, and its threads, ports and timers in all, before the first sandbox and after the last. */
  before: Left;
  after: Left;
}

interface Left {
  resources: string[];
  handles: string[];
}

const ROUNDS = 60; // of five sandboxes each, at the same time
const EARLY_ROUND = 20;
const ROUNDS_LOOKED_AT = 5;
const CALLS = 5;
const KINDS = new Set(["MESSAGEPORT", "Timeout", "WORKER"]);

const [root, vault] = process.argv.slice(2) as [string, string];
const packageRoot = pathToFileURL(`${root}/`);
const assets = loadAssets(packageRoot);
const options = async (): Promise<SandboxOptions> => ({
  assets: await assets,
  root: vault,
  wiki: "wiki",
  answer: async () => "{}",
  entry: new URL("dist/worker.js", packageRoot),
  walkerEntry: new URL("dist/walker.js", packageRoot),
});

// Not by a flag of the process: the realm refuses an engine with a global that it does not know.
v8.setFlagsFromString("--expose-gc");
const collectGarbage = vm.runInNewContext("gc") as () => void;
v8.setFlagsFromString("--no-expose-gc");

const ended = { ready: 0, starting: 0, new: 0 };

async function endReady(): Promise<void> {
  const sandbox = new Sandbox(await options());
  await sandbox.start();
  ended.ready++;
  sandbox.end("it was ready");
  await sandbox.gone();
}

async function endStarting(): Promise<void> {
  const sandbox = new Sandbox(await options());
  const start = sandbox.start().catch(() => {});
  await sandbox.walk();
  if (sandbox.state === "starting") ended.starting++;
  else ended.ready++;
  sandbox.end("its folders were walked");
  await Promise.all([start, sandbox.gone()]);
}

async function endNew(): Promise<void> {
  const sandbox = new Sandbox(await options());
  const start = sandbox.start().catch(() => {});
  ended.new++;
  sandbox.end("it was new");
  await Promise.all([start, sandbox.gone()]);
}

function memory(): number {
  collectGarbage();
  return process.memoryUsage.rss();
}

/** As a lane does after its first call: later starts take half the time. */
async function shareCode(): Promise<void> {
  const sandbox = new Sandbox(await options());
  await sandbox.start();
  const awake = setInterval(() => {}, 60_000); // nobody waits for it in a lane, so it keeps no process alive
  await sandbox.shareCodeCache();
  clearInterval(awake);
  sandbox.end("its code was shared");
  await sandbox.gone();
}

async function rounds(): Promise<Report["memory"]> {
  await shareCode();
  const after: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await Promise.all([endReady(), endStarting(), endNew(), endNew(), endNew()]);
    after.push(memory());
  }
  const least = (last: number) => Math.min(...after.slice(last - ROUNDS_LOOKED_AT, last));
  return { early: least(EARLY_ROUND), late: least(ROUNDS) };
}

/** The same by a lane: calls that are answered, and calls that are cancelled as soon as Python has them. */
async function laneCalls(): Promise<Pick<Report, "calls" | "listeners">> {
  const lane = new Lane(options);
  const calls = { answered: 0, cancelled: 0 };
  const patient = new AbortController();
  const signals = [patient.signal];
  const ask = (signal: AbortSignal, onAsked: () => void) =>
    lane
      .call({
        deadlineMs: 60_000,
        signal,
        needsListing: true,
        request: () => {
          onAsked();
          return JSON.stringify({
            operation: "search",
            arguments: { query: "tomato" },
            vault: {},
            remainingMs: 60_000,
            host: {},
          });
        },
        onTold: () => {},
      })
      .then(
        () => calls.answered++,
        () => calls.cancelled++,
      );
  for (let call = 0; call < CALLS; call++) {
    await ask(patient.signal, () => {});
    const hasty = new AbortController();
    signals.push(hasty.signal);
    await ask(hasty.signal, () => hasty.abort());
  }
  await lane.close();
  return { calls, listeners: signals.flatMap((signal) => getEventListeners(signal, "abort")).length };
}

// Node's list of what keeps a process alive does not tell of what does not, such as a port or a timer without reference.
const living = new Map<number, string>();
createHook({
  init: (id, type) => void (KINDS.has(type) && living.set(id, type)),
  destroy: (id) => void living.delete(id),
}).enable();

async function left(): Promise<Left> {
  // What was closed goes in the turns of the loop that follow.
  for (let turn = 0; turn < 100; turn++) await new Promise((next) => setImmediate(next));
  collectGarbage();
  return { resources: process.getActiveResourcesInfo(), handles: [...living.values()].sort() };
}

await assets;
const before = await left();
const report: Report = { ended, memory: await rounds(), ...(await laneCalls()), before, after: await left() };
console.log(JSON.stringify(report));
