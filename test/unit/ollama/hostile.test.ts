// No byte leaves loopback, whatever the process around the request was turned into. The proxies of the environment are
// listening traps; the rest is set up by the program that is run.
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { wikiCli } from "../../helpers/cli.ts";
import { type FakeOllama, letterVector, startFakeOllama } from "../../helpers/fake-ollama.ts";
import { gardenVault, projectRoot, type TempFolder, tempFolder } from "../../helpers/garden.ts";

const vault = gardenVault();
let folder: TempFolder;
let ollama: FakeOllama;
let proxyPort = 0;
let proxyTouched = 0;

const proxy = createServer((socket) => {
  proxyTouched += 1;
  socket.on("error", () => {});
  socket.end('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n"PROXIED"');
});

beforeAll(async () => {
  folder = tempFolder();
  await build({
    entryPoints: [join(projectRoot, "test/helpers/hostile-surroundings.ts")],
    outfile: join(folder.path, "program.mjs"),
    bundle: true,
    platform: "node",
    format: "esm",
  });
  ollama = await startFakeOllama({ vectorOf: letterVector });
  await new Promise<void>((ready) => proxy.listen(0, "127.0.0.1", ready));
  proxyPort = (proxy.address() as { port: number }).port;
});

afterAll(async () => {
  proxy.close();
  await ollama.close();
  folder[Symbol.dispose]();
  vault[Symbol.dispose]();
});

interface Report {
  answers: Record<string, unknown>[];
  touched: Record<string, number>;
  reached: string[];
}

function surroundings(): Record<string, string> {
  const url = `http://127.0.0.1:${proxyPort}`;
  return {
    PATH: process.env.PATH ?? "",
    HTTP_PROXY: url,
    http_proxy: url,
    HTTPS_PROXY: url,
    https_proxy: url,
    ALL_PROXY: url,
    all_proxy: url,
    NO_PROXY: "",
    no_proxy: "",
    NODE_USE_ENV_PROXY: "1",
    AGENT: join(projectRoot, "node_modules/@earendil-works/pi-coding-agent/package.json"),
    PACKAGE: join(projectRoot, "dist/index.js"),
    VAULT: vault.path,
    PI_WIKI_OLLAMA_URL: ollama.url,
  };
}

function run(...given: string[]): Promise<Report> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(folder.path, "program.mjs"), ...given], { env: surroundings() });
    const out: Buffer[] = [];
    child.stdout.on("data", (piece: Buffer) => out.push(piece));
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve(JSON.parse(Buffer.concat(out).toString()) as Report);
      else reject(new Error(`the program ended with ${code}`));
    });
  });
}

it("answers, and touches no proxy, resolver, agent, patched function or dispatcher", async () => {
  const report = await run("guarded", ollama.url, `http://localhost:${ollama.port}`);
  for (const answer of report.answers) expect(answer).toMatchObject({ model: "qwen3-embedding:4b", dimension: 5 });
  expect(report).toMatchObject({ touched: {}, reached: [`127.0.0.1:${ollama.port}`] });
  expect(proxyTouched).toBe(0);
});

it("is the one thing that the whole package connects to, for a hybrid search and for a probe", async () => {
  const { status, stderr } = await wikiCli(["index", "--semantic", "--vault", vault.path], { env: surroundings() });
  expect(status, stderr).toBe(0);
  const report = await run("package", ollama.url);
  expect(report.answers).toMatchObject([{ fallback: "hybrid", probe: { answers: true, fitsIndex: true } }]);
  expect(report).toMatchObject({ touched: {}, reached: [`127.0.0.1:${ollama.port}`] });
  expect(proxyTouched).toBe(0);
});

it("fails without touching them either: nothing listens, a redirect, an address elsewhere", async () => {
  ollama.misbehave("redirect");
  const report = await run(
    "guarded",
    ollama.url,
    "http://127.0.0.1:1",
    "http://example.com",
    "http://localhost.example.com",
  );
  ollama.misbehave(null);
  const kinds = report.answers.map(({ error }) => (error as { kind: string }).kind);
  expect(kinds).toEqual(["not-ollama", "not-running", "address", "address"]);
  expect(report).toMatchObject({ touched: {}, reached: [`127.0.0.1:${ollama.port}`] });
  expect(proxyTouched).toBe(0);
});

it("has traps that catch what programs usually do", async () => {
  const report = await run("usual", ollama.url);
  expect(report.touched).toMatchObject({ "global dispatcher.dispatch": 1, "http.get": 1 });
  expect(report.reached).toContain(`127.0.0.1:${proxyPort}`);
  expect(proxyTouched).toBeGreaterThan(1); // by `fetch` and by `http.get`
  expect(Object.keys(report.touched)).toEqual(expect.arrayContaining([expect.stringMatching(/Agent/)]));
});
