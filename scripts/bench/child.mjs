// One measurement in a process of its own; prints JSON.
//
//   child.mjs snapshot | sandbox | cold     how long a start takes (a bare worker, or ours)
//   child.mjs live VAULT                    how long the live index takes from nothing
//   child.mjs warm VAULT QUERIES            warm queries, the first one after a change, peak memory
import { readdirSync, readFileSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

const STARTS = 3; // in one process; the first of ours compiles what the others share
const [kind, vault, queries] = process.argv.slice(2);

if (isMainThread) console.log(JSON.stringify(await measure()));
else await bareStart();

async function measure() {
  const { openWiki } = await import("../../dist/index.js");
  const open = (options = {}) => openWiki({ env: {}, ...options });
  if (kind === "sandbox") {
    const startMs = [];
    for (let at = 0; at < STARTS; at++) {
      const wiki = open({ vault: process.cwd(), wikiPath: "src" });
      const { payload } = await wiki.call("doctor", {});
      startMs.push(payload.sandbox.startMs);
      await wiki.close();
    }
    return { startMs };
  }
  if (kind === "live") {
    const wiki = open({ vault, timeoutMs: 600_000 });
    await wiki.call("outline", { page: "wiki/none.md" }); // the sandbox is up
    const started = performance.now();
    await wiki.call("search", { query: "anything" });
    const buildMs = performance.now() - started;
    await wiki.close();
    return { buildMs, peakMb: peakMb() };
  }
  if (kind === "warm") return await warm(open({ vault, timeoutMs: 600_000 }));
  return { startMs: [await start(kind)] };
}

async function warm(wiki) {
  const queryMs = [];
  const timed = async (query) => {
    const started = performance.now();
    const { ok, message } = await wiki.call("search", { query });
    if (!ok) throw new Error(message);
    return performance.now() - started;
  };
  const texts = JSON.parse(queries);
  await timed(texts[0]);
  for (const query of texts) queryMs.push(await timed(query));
  const folder = join(vault, "wiki");
  const page = join(
    folder,
    readdirSync(folder, { recursive: true, encoding: "utf8" }).find((name) => name.endsWith(".md")),
  );
  const { atime, mtime } = statSync(page);
  utimesSync(page, atime, new Date()); // what counts is that its time changed: it is read again
  const changedMs = await timed(texts[1]);
  utimesSync(page, atime, mtime);
  await wiki.close();
  return { queryMs, changedMs, peakMb: peakMb() };
}

function peakMb() {
  return process.resourceUsage().maxRSS / 1024;
}

/** A bare worker with plain Pyodide: cold, or from a snapshot that plain Pyodide made. */
async function start(how) {
  const snapshot = how === "snapshot" ? await plainSnapshot() : null;
  const started = performance.now();
  const worker = new Worker(new URL(import.meta.url), { workerData: { snapshot } });
  await new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
  const ms = performance.now() - started;
  await worker.terminate();
  return ms;
}

async function plainSnapshot() {
  const { loadPyodide } = await import("pyodide");
  const pyodide = await loadPyodide({ _makeSnapshot: true });
  const bytes = pyodide.makeMemorySnapshot();
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}

async function bareStart() {
  const { loadPyodide } = await import("pyodide");
  const { snapshot } = workerData;
  await loadPyodide(snapshot ? { _loadSnapshot: snapshot } : {});
  parentPort.postMessage(readFileSync.length);
}
