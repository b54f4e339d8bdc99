// The real Pi as a child process, on its own empty home, with a scripted model in place of a real one.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot, tempFolder } from "./garden.ts";

// biome-ignore lint/suspicious/noExplicitAny: Pi's events have many shapes, and a test asserts the ones it means
export type PiEvent = any;

export interface PiOptions {
  baseUrl: string;
  /** Environment beyond Pi's own: which vault is selected, for instance. */
  env?: Record<string, string>;
  extensions?: string[];
  cwd?: string;
  node?: string;
}

export interface PiRun {
  events: PiEvent[];
  exitCode: number | null;
  stderr: string;
}

export const EXTENSION = join(projectRoot, "dist/extension.js");
/** Pi needs a newer Node than some machines have; the dev dependency `node` brings one. */
const NODE = join(projectRoot, "node_modules/.bin/node");
const PI = join(projectRoot, "node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js");

/** One prompt in JSON mode: runs until Pi exits by itself. */
export async function runPi(prompt: string, options: PiOptions): Promise<PiRun> {
  using home = tempFolder("pi-home-");
  const child = start(home.path, ["--mode", "json", "--no-session"], [prompt], options);
  child.stdin?.end();
  const stdout = gather(child.stdout);
  const stderr = gather(child.stderr);
  await once(child, "close");
  const events = stdout()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return { events, exitCode: child.exitCode, stderr: stderr() };
}

export interface PiSession extends AsyncDisposable {
  events: PiEvent[];
  send(command: object): void;
  /** The first event from `from` on that fits. */
  until(fits: (event: PiEvent) => boolean, from?: number): Promise<PiEvent>;
  /** Closes its input and gives the exit code. */
  end(): Promise<number | null>;
}

/** A session in RPC mode, for what needs more than one prompt. */
export function piSession(options: PiOptions): PiSession {
  const home = tempFolder("pi-home-");
  const child = start(home.path, ["--mode", "rpc", "--no-session"], [], options);
  const events: PiEvent[] = [];
  let waiting: (() => void)[] = [];
  let rest = "";
  child.stdout?.setEncoding("utf8").on("data", (data: string) => {
    const lines = (rest + data).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines.filter(Boolean)) events.push(JSON.parse(line));
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  });
  const stderr = gather(child.stderr);
  const ended = once(child, "close").then(() => {
    for (const wake of waiting) wake();
  });
  return {
    events,
    send: (command) => child.stdin?.write(`${JSON.stringify(command)}\n`),
    async until(fits, from = 0) {
      for (;;) {
        const found = events.slice(from).find(fits);
        if (found) return found;
        if (child.exitCode !== null) throw new Error(`Pi ended first: ${stderr()}`);
        await new Promise<void>((wake) => waiting.push(wake));
      }
    },
    async end() {
      child.stdin?.end();
      await ended;
      return child.exitCode;
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null) child.kill("SIGKILL");
      await ended;
      home[Symbol.dispose]();
    },
  };
}

function start(home: string, mode: string[], prompt: string[], options: PiOptions): ChildProcess {
  writeFileSync(join(home, "models.json"), JSON.stringify(models(options.baseUrl)));
  const extensions = (options.extensions ?? [EXTENSION]).flatMap((path) => ["-e", path]);
  const model = ["--provider", "scripted", "--model", "scripted"];
  return spawn(options.node ?? NODE, [PI, ...mode, ...extensions, ...model, ...prompt], {
    cwd: options.cwd ?? home,
    env: {
      PATH: process.env.PATH ?? "",
      HOME: home,
      PI_CODING_AGENT_DIR: home,
      PI_OFFLINE: "1",
      PI_TELEMETRY: "0",
      ...options.env,
    },
  });
}

function models(baseUrl: string): object {
  const model = { id: "scripted", name: "Scripted", input: ["text"], contextWindow: 400_000, maxTokens: 16_000 };
  return { providers: { scripted: { api: "openai-completions", baseUrl, apiKey: "none", models: [model] } } };
}

function gather(stream: NodeJS.ReadableStream | null): () => string {
  const chunks: Buffer[] = [];
  stream?.on("data", (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString("utf8");
}
