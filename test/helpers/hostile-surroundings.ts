// A program for a process of its own: it turns everything a process shares against its requests (resolver, agents, patched
// `http`, global dispatcher, `fetch`), then asks Ollama. Printed: the answers, and how often each trap was touched.
//
// argv: how to ask (`guarded`, or `usual` for the control), then the addresses to ask.
import dns from "node:dns";
import http from "node:http";
import https from "node:https";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import { answerQuestion } from "../../src/ollama/answer.ts";

const touched: Record<string, number> = {};

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

const dispatcher = {
  dispatch() {
    touched["global dispatcher"] = (touched["global dispatcher"] ?? 0) + 1;
    throw new Error("dispatched");
  },
};

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
for (const version of ["1", "2"]) {
  Object.assign(globalThis, { [Symbol.for(`undici.globalDispatcher.${version}`)]: dispatcher });
}
syncBuiltinESMExports();

const [how, ...urls] = process.argv.slice(2);
const answers: unknown[] = [];
for (const baseUrl of urls) {
  answers.push(how === "guarded" ? JSON.parse(await guarded(baseUrl)) : await usual(baseUrl));
}
process.stdout.write(JSON.stringify({ answers, touched }));

function guarded(baseUrl: string): Promise<string> {
  const question = JSON.stringify({ ask: "embed", input: ["secret text of a wiki"] });
  return answerQuestion(question, { baseUrl, model: "qwen3-embedding:4b", deadlineMs: 5_000 });
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
