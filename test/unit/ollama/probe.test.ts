// The one look at Ollama that a user may ask for, over real sockets.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Connection } from "../../../src/ollama/embed.ts";
import { probeOllama } from "../../../src/ollama/probe.ts";
import { type FakeOllama, letterVector, startFakeOllama } from "../../helpers/fake-ollama.ts";

let ollama: FakeOllama;

beforeAll(async () => {
  ollama = await startFakeOllama({ vectorOf: letterVector });
});
beforeEach(() => ollama.misbehave(null));
afterAll(() => ollama.close());

function connection(change: Partial<Connection> = {}): Connection {
  return { baseUrl: ollama.url, model: "qwen3-embedding:4b", deadlineMs: 10_000, ...change };
}

describe("the probe a user asks for", () => {
  const nothing = { answers: false, version: null, digest: null, dimension: null, milliseconds: null };

  it("names version, model, digest, dimension and the time one text took", async () => {
    expect(await probeOllama(connection())).toEqual({
      answers: true,
      version: "0.12.6",
      model: "qwen3-embedding:4b",
      digest: expect.stringMatching(/^5f1c/),
      dimension: 5,
      milliseconds: expect.any(Number),
      error: null,
    });
  });

  it("tells what it learned before trouble, and the remedy", async () => {
    expect(await probeOllama(connection({ model: "bge-m3" }))).toEqual({
      ...nothing,
      answers: true,
      version: "0.12.6",
      model: "bge-m3",
      error: { kind: "model-missing", message: expect.stringMatching(/ollama pull bge-m3$/) },
    });
    ollama.misbehave("zeros", "/api/embed");
    expect(await probeOllama(connection())).toMatchObject({
      answers: true,
      digest: expect.any(String),
      dimension: null,
      error: { kind: "wrong-answer" },
    });
  });

  it("knows a server that is too old to say its version", async () => {
    ollama.misbehave({ status: 404, text: "404 page not found" }, "/api/version");
    expect(await probeOllama(connection())).toMatchObject({ answers: true, version: null, dimension: 5, error: null });
  });

  it.each([
    ["html", "not-ollama"],
    ["JSON null", "not-ollama"],
    ["close at once", "cut-off"],
    ["redirect", "not-ollama"],
    ["hang", "deadline"],
  ] as const)("takes nothing for Ollama that does this: %s", async (how, kind) => {
    ollama.misbehave(how);
    const probe = await probeOllama(connection(how === "hang" ? { deadlineMs: 300 } : {}));
    expect(probe).toMatchObject({ ...nothing, error: { kind, message: expect.stringMatching(/ollama (serve|ps)/) } });
  });

  it("finds nothing where nothing listens, and contacts no address that is not loopback", async () => {
    const gone = await probeOllama(connection({ baseUrl: "http://127.0.0.1:1" }));
    expect(gone).toMatchObject({ ...nothing, error: { kind: "not-running" } });
    const elsewhere = await probeOllama(connection({ baseUrl: "http://93.184.216.34:11434" }));
    expect(elsewhere).toMatchObject({ ...nothing, error: { kind: "address" } });
  });
});
