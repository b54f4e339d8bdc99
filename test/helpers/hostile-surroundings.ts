// A program for a process of its own: it turns everything a process shares against its requests (resolver, agents, patched
// `http`, global dispatcher, `fetch`), then asks Ollama. Printed: the answers, how often each trap was touched, and where
// any socket of the process was connected to.
//
// argv: how to ask (`guarded`; `package` for a search and a probe through the built package; `usual` for the control), then
// the addresses to ask. From the environment: PACKAGE and VAULT, for `package`; AGENT, a file of the agent whose own
// dispatcher class is used; HTTP_PROXY, where that dispatcher leads to.
import dns from "node:dns";
import http from "node:http";
import https from "node:https";
import { createRequire, syncBuiltinESMExports } from "node:module";
import net from "node:net";
import { answerQuestion } from "../../src/ollama/answer.ts";

const touched: Record<string, number> = {};
const reached = new Set<string>();

function trap<Owner extends object>(owner: Owner, names: (keyof Owner & string)[], label: string): void {
  for (const name of names) {
    const original = owner[name] as (...given: unknown[]) => unknown;
    const patched = function (this: unknown, ...given: unknown[]) {
      touched[`${label}.${name}`] = (touched[`${label}.${name}`] ?? 0) + 1;
      return original.apply(this, given);
    };
    Object.assign(owner, { [name]: patched });
  }
}

function poisonResolver(): void {
  const answer =
    (label: string) =>
    (_host: string, options: unknown, done?: (error: null, address: unknown, family?: number) => void) => {
      touched[label] = (touched[label] ?? 0) + 1;
      const call = (done ?? options) as (error: null, address: unknown, family?: number) => void;
      const all = typeof options === "object" && options !== null && (options as { all?: boolean }).all;
      if (all) call(null, [{ address: "93.184.216.34", family: 4 }]);
      else call(null, "93.184.216.34", 4);
    };
  Object.assign(dns, {
    lookup: answer("dns.lookup"),
    resolve4: answer("dns.resolve4"),
    resolve6: answer("dns.resolve6"),
  });
}

/** As an agent sends everything that `fetch` asks for through a proxy of its own. */
function takeOverFetch(): void {
  const undici = createRequire(process.env.AGENT!)("undici");
  const dispatcher = new undici.ProxyAgent(process.env.HTTP_PROXY);
  trap(dispatcher, ["dispatch"], "global dispatcher");
  undici.setGlobalDispatcher(dispatcher);
  globalThis.fetch = undici.fetch;
  for (const version of ["1", "2"]) {
    Object.assign(globalThis, { [Symbol.for(`undici.globalDispatcher.${version}`)]: dispatcher });
  }
}

/** Every socket, whoever makes it, is connected by this one method; it is only looked at. */
function watchSockets(): void {
  const { connect } = net.Socket.prototype;
  Object.assign(net.Socket.prototype, {
    connect(this: net.Socket, ...given: unknown[]) {
      this.once("connect", () => reached.add(`${this.remoteAddress}:${this.remotePort}`));
      return Reflect.apply(connect, this, given);
    },
  });
}

watchSockets();
takeOverFetch();
poisonResolver();
trap(http, ["request", "get"], "http");
trap(https, ["request", "get"], "https");
trap(
  http.Agent.prototype as unknown as Record<string, unknown>,
  ["createConnection", "addRequest", "createSocket"],
  "Agent",
);
trap(http.globalAgent as unknown as Record<string, unknown>, ["createConnection", "addRequest"], "globalAgent");
trap(net, ["connect", "createConnection"], "net");
trap(globalThis, ["fetch"], "globalThis");
syncBuiltinESMExports();

const [how, ...urls] = process.argv.slice(2);
const ask = { guarded, package: throughPackage, usual }[how as "guarded" | "package" | "usual"];
const answers: unknown[] = [];
for (const baseUrl of urls) answers.push(await ask(baseUrl));
process.stdout.write(JSON.stringify({ answers, touched, reached: [...reached] }));

async function guarded(baseUrl: string): Promise<unknown> {
  const question = JSON.stringify({ ask: "embed", input: ["secret text of a wiki"] });
  return JSON.parse(await answerQuestion(question, { baseUrl, model: "qwen3-embedding:4b", deadlineMs: 5_000 }));
}

async function throughPackage(baseUrl: string): Promise<unknown> {
  const { openWiki } = (await import(process.env.PACKAGE!)) as typeof import("../../src/index.ts");
  const wiki = openWiki({ vault: process.env.VAULT!, env: { PI_WIKI_OLLAMA_URL: baseUrl } });
  const search = await wiki.call("search", { query: "compost in winter", hybrid: true });
  const doctor = await wiki.call("doctor", {}, { probe: true });
  await wiki.close();
  const { fallback, semanticError } = search.payload ?? {};
  return { fallback, semanticError, probe: doctor.payload?.probe };
}

/** What programs usually do, to show that the traps would have caught it. */
async function usual(baseUrl: string): Promise<unknown> {
  const byFetch = await fetch(baseUrl).then(
    () => "fetched",
    () => "fetch failed",
  );
  const byAgent = await new Promise((settled) => {
    const asked = http.get(baseUrl, { timeout: 2_000 }, (response) =>
      settled(`status ${response.resume().statusCode}`),
    );
    asked.on("timeout", () => asked.destroy());
    asked.on("error", () => settled("failed"));
  });
  return [byFetch, byAgent];
}
