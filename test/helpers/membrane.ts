// A program: attacks the shipped worker's realm from inside and prints what came of it as one line of JSON. It is bundled
// and run by each Node.
import { readFileSync } from "node:fs";
import process from "node:process";
import { pathToFileURL } from "node:url";
import vm from "node:vm";
import { BroadcastChannel } from "node:worker_threads";
import { loadAssets } from "../../src/assets/parts.ts";
import { Sandbox } from "../../src/host/sandbox.ts";

export interface Report {
  node: string;
  /** Scripts of the realm in whose text `import()` stands. */
  importing: string[];
  /** Whether `import()` reaches Node's own objects from any context on this Node (until nodejs/node#58309). */
  importLeaks: boolean;
  controls: Record<string, string>;
  walk: { count: number; whole: boolean; found: string[] };
  attacks: Record<string, string>;
  /** How the worker answered afterwards, in a realm where everything that can be poisoned is. */
  replies: string[];
  late: string;
  exitCode: number | null;
}

const IMPORT = /\bimport\s*\((?!\))/; // `import()` itself stands in a message

const [root, vault] = process.argv.slice(2) as [string, string];
const packageRoot = pathToFileURL(`${root}/`);
const assets = await loadAssets(packageRoot);
const channel = new BroadcastChannel("membrane");
const sandbox = new Sandbox({
  assets,
  root: vault,
  wiki: "wiki",
  answer: async () => "{}",
  entry: new URL("fixtures/membrane/worker.mjs", packageRoot),
  walkerEntry: new URL("dist/walker.js", packageRoot),
});

function order<Result>(name: string): Promise<Result> {
  return new Promise((resolve) => {
    channel.onmessage = (event) => {
      const { of, result } = (event as unknown as { data: unknown }).data as { of: string; result: Result };
      if (of === name) resolve(result);
    };
    channel.postMessage({ order: name });
  });
}

function importLeaks(): boolean {
  const promise = vm.runInNewContext("import('none')");
  promise.catch(() => {});
  return promise instanceof Promise;
}

await sandbox.start();
const request = JSON.stringify({
  operation: "search",
  arguments: { query: "x" },
  vault: {},
  remainingMs: 5000,
  host: {},
});
const report: Report = {
  node: process.version,
  importing: assets.parts.scripts.filter(({ path }) => IMPORT.test(readFileSync(path, "utf8"))).map(({ name }) => name),
  importLeaks: importLeaks(),
  controls: await order("controls"),
  walk: await order("walk"),
  attacks: await order("attack"),
  replies: [],
  late: "",
  exitCode: null,
};
for (let round = 0; round < 3; round++) {
  const replied = sandbox
    .call(request, null, () => {})
    .then(
      ({ kind }) => kind,
      () => "failed",
    );
  report.replies.push(await Promise.race([replied, new Promise<string>((end) => setTimeout(end, 5000, "no answer"))]));
  if (sandbox.state !== "ready") break;
}
const ended = sandbox.ended.then((ending) => {
  report.exitCode = ending.exitCode;
  return "ended";
});
report.late = (await Promise.race([order<string>("late"), ended])) as string;
await Promise.race([ended, new Promise((end) => setTimeout(end, 200))]);
console.log(JSON.stringify(report));
process.exit(0);
