// Runs Python texts in the shipped sandbox, inside a child process that stands for an agent, and watches from outside
// what becomes of them: files, ports, streams, the environment, the child itself. What Python claims counts for nothing.
import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { hostname, userInfo } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleProgram } from "../../scripts/bundle-program.mjs";
import type { Operation, Payload } from "../../src/shared/envelope.ts";
import { projectRoot, tempFolder } from "./garden.ts";
import { wasNodesOwnFault } from "./nodes-own-fault.ts";
import type { Answer } from "./probe-host.ts";
import { sideModule } from "./side-module.ts";
import { picture } from "./untouched.ts";

const KIT = fileURLToPath(new URL("../../fixtures/probes/kit/", import.meta.url));
const PROBES = fileURLToPath(new URL("../../fixtures/probes/", import.meta.url));
const kit = (name: string) => readFileSync(join(KIT, name), "utf8");

export const PROBE_NAMES = readdirSync(PROBES)
  .filter((name) => name.endsWith(".py"))
  .map((name) => name.slice(0, -".py".length))
  .sort();

export interface ProbeOptions {
  /** Leaves Python's own doors open, so that only the bare realm and the mount stand between it and the host. */
  open?: boolean;
  /** Another Node to run the agent's process. */
  node?: string;
}

export interface ProbeAgent extends AsyncDisposable {
  /** What a probe did that the host could see; empty is right. Its own text goes to `said`. */
  effects(name: string): Promise<string[]>;
  /** What the last probe said of itself, for people. */
  said: string;
  /** What a request sees of Python's world now, a line for each thing. */
  world(): Promise<string[]>;
  ask(operation: Operation, args: Payload): Promise<Answer>;
  /** Closes the wiki; the child must then end by itself. Its exit code. */
  end(): Promise<number | null>;
}

/** Text that Python runs before the doors are closed: requests with `python` in their arguments run that text. */
export function harness(open: boolean): string {
  return `OPEN = ${open ? "True" : "False"}\n${kit("harness.py")}`;
}

export async function probeAgent(options: ProbeOptions = {}): Promise<ProbeAgent> {
  const folder = tempFolder("probe-");
  const at = (name: string) => join(folder.path, name);
  for (const name of ["vault/wiki/deep", "vault/.obsidian", "outside", "home"]) {
    mkdirSync(at(name), { recursive: true });
  }
  const secrets = { file: token("file"), environment: token("environment"), stdin: token("stdin") };
  writeFileSync(at("vault/wiki/plain.md"), "# Plain\nA page about tomatoes.\n");
  writeFileSync(at("vault/wiki/deep/below.md"), "# Below\nAnother page.\n");
  writeFileSync(at("outside/canary.txt"), `${secrets.file}\n`);
  const ports = await listeners();
  const before = { vault: picture(at("vault")), outside: picture(at("outside")) };
  const preamble = `${Object.entries({
    CANARY: at("outside/canary.txt"),
    MARKER: at("outside/marker"),
    PORT: ports.busy,
    QUIET_PORT: ports.quiet,
    SIDE_MODULE: Buffer.from(sideModule()).toString("base64"),
  })
    .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
    .join("\n")}\n${kit("kit.py")}\n`;

  const program = await bundleProgram("test/helpers/probe-host.ts");
  let printed = "";
  const launched = async () => {
    const launch = fork(program, [projectRoot, at("vault"), harness(options.open === true)], {
      execPath: options.node ?? process.execPath,
      execArgv: [],
      env: { PROBE_SECRET: secrets.environment, HOME: at("home"), PATH: process.env.PATH ?? "" },
      stdio: ["pipe", "pipe", "pipe", "ipc"],
      cwd: at("home"),
    });
    launch.stdin?.on("error", () => {}).write(`${secrets.stdin}\n`);
    for (const stream of [launch.stdout, launch.stderr]) stream?.on("data", (data) => (printed += data));
    const ask = caller(launch);
    await once(launch, "message");
    return { child: launch, ask };
  };
  let { child, ask } = await launched();
  const call: Call = async (...asked) => {
    try {
      return await ask(...asked);
    } catch (error) {
      if (!wasNodesOwnFault(printed)) throw error;
      printed = "";
      ({ child, ask } = await launched());
      return ask(...asked);
    }
  };

  const agent: ProbeAgent = {
    said: "",
    ask: (operation, args) => call(operation, args),
    async effects(name) {
      const python = readFileSync(join(PROBES, `${name}.py`), "utf8");
      const args = { query: "x", python: preamble + python };
      const answer = await call("search", args, name === "interrupt-swallowed" ? 700 : undefined);
      const { envelope } = answer;
      const all = JSON.stringify(answer);
      agent.said = envelope.ok ? String(envelope.payload.said) : `${envelope.code}: ${envelope.message}`;
      const found: string[] = [];
      const note = (happened: boolean, what: string) => {
        if (happened) found.push(what);
      };
      note(all.includes(secrets.file) || /root:.?:0:0/.test(all), "READ-HOST-FILE");
      note(all.includes(secrets.environment), "READ-ENVIRONMENT");
      note(all.includes(secrets.stdin), "READ-STDIN");
      note(
        [hostname(), at("home"), projectRoot, process.execPath].some((fact) => fact.length > 4 && all.includes(fact)) ||
          (userInfo().username !== "root" && all.includes(`'${userInfo().username}'`)),
        "HOST-INFORMATION",
      );
      note(/JS-EVAL-42|JS-EVAL-b?'?42/.test(all), "RAN-JAVASCRIPT");
      note(all.includes("FOUND-CHECK"), "FOUND-THE-CHECK");
      note(ports.hits() > 0, "CONNECTED");
      note(await canConnect(ports.quiet), "LISTENS");
      note(printed !== "", `PRINTED ${printed.slice(0, 200)}`);
      note(differ(before.outside, picture(at("outside"))), "WROTE-OUTSIDE");
      note(differ(before.vault, picture(at("vault"))), "CHANGED-THE-VAULT");
      note(answer.exitCode !== null, "SET-AN-EXIT-CODE");
      note(child.exitCode !== null || child.signalCode !== null, "ENDED-THE-AGENT");
      return found;
    },
    async world() {
      const { envelope } = await call("search", { query: "x", python: kit("leftovers.py") });
      if (!envelope.ok) throw new Error(`a request that looks around failed: ${envelope.message}`);
      return String(envelope.payload.said).split("\n");
    },
    async end() {
      const ended = once(child, "exit");
      child.send("close");
      await ended;
      return child.exitCode;
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
      await ports.close();
      folder[Symbol.dispose]();
    },
  };
  return agent;
}

function token(of: string): string {
  return `${of}-${randomBytes(12).toString("hex")}`;
}

function differ(one: object, other: object): boolean {
  return JSON.stringify(one) !== JSON.stringify(other);
}

type Call = (operation: Operation, args: Payload, abortAfterMs?: number) => Promise<Answer>;

function caller(child: ChildProcess): Call {
  let last = 0;
  let ended: Error | undefined;
  const waiting = new Map<number, { resolve(answer: Answer): void; reject(error: Error): void }>();
  child.on("message", (message: Answer | "ready") => {
    if (message === "ready") return;
    waiting.get(message.id)?.resolve(message);
    waiting.delete(message.id);
  });
  // When all that it printed has come, too.
  child.on("close", (code, signal) => {
    ended = new Error(`the agent's process ended: ${code ?? signal}`);
    for (const { reject } of waiting.values()) reject(ended);
  });
  return (operation, args, abortAfterMs) =>
    new Promise((resolve, reject) => {
      if (ended) return reject(ended);
      const id = ++last;
      waiting.set(id, { resolve, reject });
      // One that has just ended takes no message; "close" then rejects.
      child.send({ id, operation, args, abortAfterMs }, () => {});
    });
}

/** A TCP and a UDP port that count who comes, and a port where nobody listens. */
async function listeners() {
  let hits = 0;
  const tcp = createServer((socket) => {
    hits++;
    socket.destroy();
  }).listen(0, "127.0.0.1");
  await once(tcp, "listening");
  const busy = portOf(tcp);
  const udp = createSocket("udp4", () => hits++);
  udp.bind(busy, "127.0.0.1");
  await once(udp, "listening");
  const spare = createServer().listen(0, "127.0.0.1");
  await once(spare, "listening");
  const quiet = portOf(spare);
  await new Promise((closed) => spare.close(closed));
  return {
    busy,
    quiet,
    hits: () => hits,
    close: () =>
      Promise.all([new Promise((closed) => tcp.close(closed)), new Promise<void>((done) => udp.close(done))]),
  };
}

function portOf(server: ReturnType<typeof createServer>): number {
  return (server.address() as { port: number }).port;
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
