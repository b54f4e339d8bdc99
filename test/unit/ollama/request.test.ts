// Every behaviour against real sockets on loopback; what a hostile environment could change is hostile.test.ts.
import { createServer, type Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Answer, type GuardedRequest, guardedRequest, RequestFailure } from "../../../src/ollama/request.ts";
import { checkOllamaUrl, type LoopbackAddress } from "../../../src/ollama/url.ts";
import { type FakeOllama, letterVector, startFakeOllama } from "../../helpers/fake-ollama.ts";
import type { Misbehaviour } from "../../helpers/misbehaviours.ts";

let ollama: FakeOllama;

beforeAll(async () => {
  ollama = await startFakeOllama({ vectorOf: letterVector });
});
beforeEach(() => ollama.misbehave(null));
afterAll(() => ollama.close());

function addressOf(url: string): LoopbackAddress {
  const verdict = checkOllamaUrl(url);
  if (!verdict.ok) throw new Error(verdict.reason);
  return verdict.address;
}

/** One request to `url` with a deadline that only a server at fault reaches. */
function ask(url: string, change: Partial<GuardedRequest> & { deadlineMs?: number } = {}): Promise<Answer> {
  const { deadlineMs = 10_000, ...rest } = change;
  return guardedRequest({
    address: addressOf(url),
    method: "GET",
    path: "/api/tags",
    maxRequestBytes: 1_000,
    maxResponseBytes: 1024 * 1024,
    endsAt: performance.now() + deadlineMs,
    ...rest,
  });
}

async function kindOf(asked: Promise<unknown>): Promise<string> {
  const error = await asked.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(RequestFailure);
  return (error as RequestFailure).kind;
}

/** Waits until the server has no connection left; a leak hangs here and fails the test. */
async function noneOpen(): Promise<void> {
  while (ollama.open() > 0) await new Promise((later) => setTimeout(later, 5));
}

describe("a guarded request", () => {
  it("brings status, type and body, and says only what it must about itself", async () => {
    const answer = await ask(ollama.url, {
      method: "POST",
      path: "/api/embed",
      body: '{"model":"qwen3-embedding:4b","input":["é"]}',
    });
    expect(answer.status).toBe(200);
    expect(answer.contentType).toContain("application/json");
    expect(JSON.parse(answer.body.toString())).toHaveProperty("embeddings");
    const { headers, body } = ollama.requests.at(-1)!;
    expect(JSON.parse(body).input).toEqual(["é"]);
    expect(headers).toEqual({
      host: `127.0.0.1:${ollama.port}`,
      accept: "application/json",
      "accept-encoding": "identity",
      connection: "close",
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
    });
    await noneOpen();
  });

  it("puts the path below the base path of the address", async () => {
    await ask(`${ollama.url}/proxy/ollama`);
    expect(ollama.requests.at(-1)!.path).toBe("/proxy/ollama/api/tags");
  });

  it("reaches a server on 127.0.0.1 by localhost", async () => {
    expect((await ask(`http://localhost:${ollama.port}`)).status).toBe(200);
  });

  it("reaches a server on ::1 alone, by localhost and by its address", async () => {
    await using onSix = await startFakeOllama({ host: "::1", vectorOf: letterVector });
    expect((await ask(`http://localhost:${onSix.port}`)).status).toBe(200);
    expect((await ask(onSix.url)).status).toBe(200);
  });

  it("gives an error status with the words the server has for it", async () => {
    ollama.misbehave({ status: 404, error: "no such model" });
    const answer = await ask(ollama.url);
    expect([answer.status, answer.body.toString()]).toEqual([404, '{"error":"no such model"}']);
  });

  it("says what the system said when nothing listens", async () => {
    const gone = await closedPort();
    for (const host of ["127.0.0.1", "localhost", "[::1]"]) {
      const failure = await ask(`http://${host}:${gone}`).catch((error: RequestFailure) => error);
      expect(failure).toMatchObject({ kind: "unreachable", detail: expect.stringMatching(/^E[A-Z]+$/) });
    }
  });

  it("does not send a body that is too large", async () => {
    const before = ollama.connections();
    expect(await kindOf(ask(ollama.url, { method: "POST", body: "x".repeat(1_001) }))).toBe("request-too-large");
    expect(ollama.connections()).toBe(before);
  });
});

const FAILURES: [how: Misbehaviour, kind: string][] = [
  ["close at once", "cut-off"],
  ["cut off", "cut-off"],
  ["200 MB", "response-too-large"],
  ["200 MB announced", "response-too-large"],
  ["large error page", "response-too-large"],
  ["redirect", "redirect"],
  [{ status: 301, text: "moved" }, "redirect"],
  [{ status: 304, text: "" }, "redirect"],
  ["gzip", "garbled"],
  ["other protocol", "garbled"],
  ["switches protocols", "garbled"],
  ["two lengths", "garbled"],
  ["endless headers", "garbled"],
  ["endless interim answers", "garbled"],
];

describe("a server at fault", () => {
  it.each(FAILURES)("that does this: %j, is told as %s, and no socket stays open", async (how, kind) => {
    ollama.misbehave(how);
    expect(await kindOf(ask(ollama.url))).toBe(kind);
    await noneOpen();
    ollama.misbehave(null);
    expect((await ask(ollama.url)).status).toBe(200);
  });

  it.each(["hang", "one byte at a time"] as const)("that does this: %s, is left at the deadline", async (how) => {
    ollama.misbehave(how);
    const began = performance.now();
    expect(await kindOf(ask(ollama.url, { deadlineMs: 300 }))).toBe("deadline");
    expect(performance.now() - began).toBeGreaterThan(290);
    await noneOpen();
  });

  it("that accepts a connection and says nothing at all is left at the deadline", async () => {
    const held: Socket[] = [];
    const silent = createServer((socket) => held.push(socket.on("error", () => {})));
    await new Promise<void>((ready) => silent.listen(0, "127.0.0.1", ready));
    const { port } = silent.address() as { port: number };
    expect(await kindOf(ask(`http://localhost:${port}`, { deadlineMs: 200 }))).toBe("deadline");
    for (const socket of held) socket.destroy();
    silent.close();
  });
});

describe("a request that is called off", () => {
  it("before it begins, opens nothing", async () => {
    const before = ollama.connections();
    expect(await kindOf(ask(ollama.url, { signal: AbortSignal.abort() }))).toBe("cancelled");
    expect(await kindOf(ask(ollama.url, { deadlineMs: -1 }))).toMatch(/deadline|cancelled/);
    await noneOpen();
    expect(ollama.connections()).toBeLessThanOrEqual(before + 1);
  });

  it("while the server works, ends at once and closes the socket", async () => {
    ollama.misbehave("hang");
    const calling = new AbortController();
    const seen = ollama.requests.length;
    const asked = ask(ollama.url, { signal: calling.signal });
    while (ollama.requests.length === seen) await new Promise((later) => setTimeout(later, 5));
    calling.abort();
    expect(await kindOf(asked)).toBe("cancelled");
    await noneOpen();
  });

  it("leaves no listener on the caller's signal", async () => {
    const { signal } = new AbortController();
    let listening = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...given: Parameters<typeof add>) => {
      listening += 1;
      add(...given);
    };
    signal.removeEventListener = (...given: Parameters<typeof remove>) => {
      listening -= 1;
      remove(...given);
    };
    await ask(ollama.url, { signal });
    expect(listening).toBe(0);
  });
});

/** A port that was free a moment ago and has nobody listening. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as { port: number };
  await new Promise((closed) => server.close(closed));
  return port;
}
