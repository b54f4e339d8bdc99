// The built package on every Node that is supported, two at a time: one line a check, exit status 1 when one fails. The
// checks are in test/every-node; the Nodes come from the npm registry. Run it with `npm run test:nodes`.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { nodeFromNpm } from "./node-from-npm.mjs";

const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const DEV_NODE = path("node_modules/node/bin/node"); // the dev dependency: it builds, and it reads TypeScript
const AT_A_TIME = 2;
const HANGS_AFTER_MS = 90_000; // no check waits for a time: this only bounds a hang

// The oldest that is promised, Pi's oldest, the one that builds, and the newest.
const NODES = [
  { version: "20.19.0", faces: ["membrane", "cli"] },
  { version: "22.19.0", faces: ["membrane", "cli", "pi"] },
  { version: "24", faces: ["membrane", "cli", "pi"], have: DEV_NODE },
  { version: "26", faces: ["membrane", "cli", "pi"] },
];

if (!process.features.typescript) {
  process.exit(spawnSync(DEV_NODE, [fileURLToPath(import.meta.url)], { stdio: "inherit" }).status ?? 1);
}

const counts = { passed: 0, failed: 0, missing: 0 };

async function onNode({ version, faces, node }) {
  let executable;
  try {
    executable = await node;
  } catch (error) {
    counts.missing++;
    console.log(`NOT TRIED on Node ${version}: ${error.message}`);
    return;
  }
  const { stdout } = spawnSync(executable, ["--version"], { encoding: "utf8" });
  const shown = `Node ${stdout.trim().slice(1)}`;
  for (const face of faces) {
    const { checks } = await import(`../test/every-node/${face}.ts`);
    for (const [name, check] of Object.entries(checks(executable))) await tried(`${shown}  ${face}: ${name}`, check);
  }
}

async function tried(line, check) {
  let timer;
  const hangs = new Promise((_, reject) => {
    timer = setTimeout(reject, HANGS_AFTER_MS, new Error(`no end after ${HANGS_AFTER_MS / 1000} s`));
  });
  try {
    await Promise.race([check(), hangs]);
    counts.passed++;
    console.log(`ok    ${line}`);
  } catch (error) {
    counts.failed++;
    console.log(`FAIL  ${line}\n${error.stack ?? error}`);
  } finally {
    clearTimeout(timer);
  }
}

// All are fetched at once, since that is waiting; the lanes take a Node each when they have done with one.
const queue = NODES.map((entry) => ({ ...entry, node: entry.have ?? nodeFromNpm(entry.version) }));
for (const { node } of queue) Promise.resolve(node).catch(() => {});
queue.sort((a, b) => Boolean(b.have) - Boolean(a.have));
const lane = async () => {
  for (let next = queue.shift(); next; next = queue.shift()) await onNode(next);
};
await Promise.all(Array.from({ length: AT_A_TIME }, lane));
const missing = counts.missing > 0 ? `, ${counts.missing} of ${NODES.length} Nodes not tried` : "";
console.log(`every Node: ${counts.passed} checks passed, ${counts.failed} failed${missing}`);
process.exit(counts.failed > 0 ? 1 : 0); // whatever hangs is left behind
