// How long the comparison of a query with every chunk takes, in the sandbox: searches of a made-up vault with a large
// semantic index, by words alone and with meaning, in turn. The model answers at once.
//
//   npm run bench -- vectors [--chunks 20000] [--numbers 1024] [--rounds 9] [--python COMMAND]
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { standIn } from "./stand-in.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SCRIPT = fileURLToPath(new URL("./vectors.py", import.meta.url));
const QUERY = "compost in winter";

export async function main(args) {
  const { values } = parseArgs({
    args,
    options: {
      chunks: { type: "string", default: "20000" },
      numbers: { type: "string", default: "1024" },
      rounds: { type: "string", default: "9" },
      python: { type: "string", default: "python3" },
    },
  });
  const vault = mkdtempSync(join(tmpdir(), "pi-wiki-vectors-"));
  try {
    const env = { ...process.env, PYTHONPATH: join(ROOT, "py"), PYTHONDONTWRITEBYTECODE: "1" };
    const made = execFileSync(values.python, [SCRIPT, vault, values.chunks, values.numbers], { env, encoding: "utf8" });
    const { vector } = JSON.parse(made);
    execFileSync(process.execPath, [join(ROOT, "dist/cli.js"), "index", "--vault", vault]);
    const took = await measured(vault, vector, Number(values.rounds));
    const megabytes = statSync(join(vault, ".vault-meta/retrieval/vectors.bin")).size / 1e6;
    console.log("| chunks | numbers | vectors.bin | words | with meaning | the first with meaning |");
    console.log("| --- | --- | --- | --- | --- | --- |");
    console.log(
      `| ${values.chunks} | ${values.numbers} | ${megabytes.toFixed(0)} MB | ${took.words} ms | ${took.hybrid} ms | ${took.first} ms |`,
    );
  } finally {
    rmSync(vault, { recursive: true });
  }
}

async function measured(vault, vector, rounds) {
  const { startFakeOllama } = await standIn();
  const ollama = await startFakeOllama({ model: "bench", digest: "0".repeat(64), vectorOf: () => vector });
  const { openWiki } = await import(pathToFileURL(join(ROOT, "dist/index.js")).href);
  const env = { PI_WIKI_OLLAMA_URL: ollama.url, PI_WIKI_OLLAMA_MODEL: "bench" };
  const wiki = openWiki({ vault, env });
  const search = async (hybrid) => {
    const began = performance.now();
    const { ok, message, payload } = await wiki.call("search", { query: QUERY, hybrid });
    if (!ok) throw new Error(message);
    if (hybrid && payload.fallback !== "hybrid") throw new Error(payload.semanticError ?? "meaning was left out");
    return performance.now() - began;
  };
  try {
    await search(false); // the start of the sandbox is not what is measured
    const first = await search(true);
    const took = { words: [], hybrid: [] };
    for (let round = 0; round < rounds; round++) {
      took.words.push(await search(false));
      took.hybrid.push(await search(true));
    }
    return { words: median(took.words), hybrid: median(took.hybrid), first: Math.round(first) };
  } finally {
    await wiki.close();
    await ollama.close();
  }
}

function median(times) {
  return Math.round(times.sort((one, other) => one - other)[Math.floor(times.length / 2)]);
}
