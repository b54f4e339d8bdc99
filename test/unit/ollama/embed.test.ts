import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { answerQuestion } from "../../../src/ollama/answer.ts";
import { type Connection, canonicalName, EMBED_TEXTS_MAX } from "../../../src/ollama/embed.ts";
import { type FakeOllama, letterVector, startFakeOllama } from "../../helpers/fake-ollama.ts";
import type { Misbehaviour, VectorTrick } from "../../helpers/misbehaviours.ts";

let ollama: FakeOllama;

beforeAll(async () => {
  ollama = await startFakeOllama({ vectorOf: letterVector });
});
beforeEach(() => ollama.misbehave(null));
afterAll(() => ollama.close());

function connection(change: Partial<Connection> = {}): Connection {
  return { baseUrl: ollama.url, model: "qwen3-embedding:4b", deadlineMs: 10_000, ...change };
}

interface Answer {
  error?: { kind: string; message: string };
  model?: string;
  digest?: string;
  dimension?: number;
  vectors?: string[];
}

async function ask(question: unknown, change: Partial<Connection> = {}): Promise<Answer> {
  return JSON.parse(await answerQuestion(JSON.stringify(question), connection(change))) as Answer;
}

const embedOne = { ask: "embed", input: ["coffee"] };

/** As Python reads a vector: 32-bit floats, low byte first. */
function numbers(base64: string): number[] {
  const bytes = Buffer.from(base64, "base64");
  return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
}

describe("what the sandbox may ask", () => {
  it("gets vectors in the order of the texts, with the model, its digest and the dimension", async () => {
    const { vectors, ...rest } = await ask({ ask: "embed", input: ["coffee", "a", "Tee\u0301 ☕"] });
    expect(rest).toEqual({ model: "qwen3-embedding:4b", digest: expect.stringMatching(/^5f1c/), dimension: 5 });
    expect(vectors?.map(numbers)).toEqual([letterVector("coffee"), letterVector("a"), letterVector("Tee\u0301 ☕")]);
  });

  it("gets the digest alone, and no text is sent", async () => {
    const before = ollama.requests.length;
    expect(await ask({ ask: "digest" })).toEqual({ model: "qwen3-embedding:4b", digest: expect.any(String) });
    expect(ollama.requests.slice(before).map(({ path }) => path)).toEqual(["/api/tags"]);
  });

  it("has texts made well-formed before they are sent", async () => {
    await ask({ ask: "embed", input: ["half \ud83d of one"] });
    expect(JSON.parse(ollama.requests.at(-1)!.body).input).toEqual(["half \ufffd of one"]);
  });

  it("finds a model without a tag as the latest, in any case", async () => {
    await using other = await startFakeOllama({ model: "nomic-embed-text:latest", vectorOf: letterVector });
    for (const model of ["nomic-embed-text", "Nomic-Embed-Text:latest"]) {
      expect(await ask({ ask: "digest" }, { baseUrl: other.url, model })).toMatchObject({ model });
    }
    expect(canonicalName("hf.co:443/a/model")).toBe("hf.co:443/a/model:latest");
  });

  it.each([
    ["another address", { ask: "embed", input: ["x"], url: "http://127.0.0.1:9" }],
    ["another model", { ask: "embed", input: ["x"], model: "llama3" }],
    ["another path", { ask: "/api/delete" }],
    ["no question", {}],
    ["a list", []],
    ["null", null],
    ["no texts", { ask: "embed", input: [] }],
    ["too many texts", { ask: "embed", input: Array(EMBED_TEXTS_MAX + 1).fill("x") }],
    ["numbers as texts", { ask: "embed", input: [1] }],
    ["a blank text", { ask: "embed", input: [" \n"] }],
    ["one text outside a list", { ask: "embed", input: "x" }],
    ["texts for a digest", { ask: "digest", input: ["x"] }],
    ["no time", { ask: "digest", withinMs: 0 }],
    ["time in words", { ask: "digest", withinMs: "1" }],
  ])("is refused %s, and nothing is contacted", async (_, question) => {
    const before = ollama.connections();
    expect((await ask(question)).error?.kind).toBe("question");
    expect(ollama.connections()).toBe(before);
  });

  it("is refused what is not JSON, and texts too large for one request", async () => {
    expect(JSON.parse(await answerQuestion("{", connection())).error.kind).toBe("question");
    expect((await ask({ ask: "embed", input: ["x".repeat(1024 * 1024)] })).error?.kind).toBe("question");
  });
});

const TROUBLE: [how: Misbehaviour | VectorTrick, path: string | undefined, kind: string, says: RegExp][] = [
  [{ status: 404, error: 'model "x" not found' }, "/api/embed", "model-missing", /ollama pull qwen3-embedding:4b$/],
  [{ status: 404, text: "404 page not found" }, "/api/embed", "old-server", /no \/api\/embed\. Update it to 0\.3\.0/],
  [{ status: 400, error: "bad input" }, "/api/embed", "refused", /status 400 \(bad input\)\..*ollama pull/],
  [{ status: 401, text: "who are you" }, undefined, "refused", /status 401/],
  [
    { status: 400, error: "this model does not support embeddings" },
    "/api/embed",
    "not-embedding",
    /PI_WIKI_OLLAMA_MODEL/,
  ],
  [
    { status: 500, error: "out of\n\u001b[31mmemory" },
    "/api/embed",
    "server-failed",
    /500 \(out of \[31mmemory\)\. Look into its log/,
  ],
  [{ status: 503, text: "busy" }, undefined, "server-failed", /status 503\. .*ollama serve$/],
  ["html", undefined, "not-ollama", /sent a web page\. Start Ollama/],
  ["html", "/api/embed", "not-ollama", /sent a web page/],
  ["not JSON", "/api/embed", "not-ollama", /JSON that cannot be read/],
  ["JSON null", undefined, "not-ollama", /no list of models/],
  ["JSON null", "/api/embed", "wrong-answer", /holds none/],
  ["redirect", undefined, "not-ollama", /a redirect \(307\), which is never followed/],
  ["other protocol", undefined, "not-ollama", /not an HTTP answer/],
  ["close at once", undefined, "cut-off", /closed the connection/],
  ["cut off", "/api/embed", "cut-off", /closed the connection/],
  ["200 MB", "/api/embed", "too-large", /more than embeddings can be/],
  ["200 MB announced", undefined, "too-large", /more than embeddings can be/],
  ["no vectors", "/api/embed", "wrong-answer", /0 came for 1 texts/],
  ["one vector too many", "/api/embed", "wrong-answer", /2 came for 1 texts/],
  ["no embeddings key", "/api/embed", "wrong-answer", /holds none/],
  ["empty vectors", "/api/embed", "wrong-answer", /is empty/],
  ["null vectors", "/api/embed", "wrong-answer", /is empty/],
  ["null numbers", "/api/embed", "wrong-answer", /something else than numbers/],
  ["NaN", "/api/embed", "not-ollama", /JSON that cannot be read/],
  ["infinite", "/api/embed", "wrong-answer", /not finite/],
  ["too large for 32 bits", "/api/embed", "wrong-answer", /not finite/],
  ["zeros", "/api/embed", "wrong-answer", /all zeros/],
  ["huge dimension", "/api/embed", "wrong-answer", /more than 16384 numbers/],
];

describe("trouble with Ollama", () => {
  it.each(TROUBLE)(
    "after this: %j on %s, it is %s, named with a remedy, and the next question is answered",
    async (how, path, kind, says) => {
      ollama.misbehave(how, path);
      const { error, ...rest } = await ask(embedOne);
      expect(rest).toEqual({});
      expect(error?.kind).toBe(kind);
      expect(error?.message).toMatch(says);
      expect(error?.message.length).toBeLessThan(400);
      ollama.misbehave(null);
      expect(await ask(embedOne)).toMatchObject({ dimension: 5 });
    },
  );

  it("is told when vectors of one answer differ in length", async () => {
    ollama.misbehave("mixed dimensions");
    expect((await ask({ ask: "embed", input: ["a", "b"] })).error?.message).toMatch(/differ in length/);
  });

  it.each(["hang", "one byte at a time"] as const)(
    "when it does this: %s, ends at the deadline for both requests together",
    async (how) => {
      for (const path of ["/api/tags", "/api/embed"]) {
        ollama.misbehave(how, path);
        const began = performance.now();
        const { error } = await ask(embedOne, { deadlineMs: 300 });
        expect(error).toMatchObject({ kind: "deadline", message: expect.stringContaining("within 300 ms") });
        expect(performance.now() - began).toBeLessThan(2_000);
      }
    },
  );

  it("is met sooner where the question leaves less time, and never later than the host allows", async () => {
    ollama.misbehave("hang");
    for (const [withinMs, deadlineMs] of [
      [200, 60_000],
      [60_000, 200],
    ] as const) {
      const { error } = await ask({ ...embedOne, withinMs }, { deadlineMs });
      expect(error?.message).toContain("within 200 ms");
    }
  });

  it("is a model that is not installed: no text is sent, and the command that gets it is named", async () => {
    const before = ollama.embedded.length;
    const { error } = await ask(embedOne, { model: "bge-m3" });
    expect(error).toEqual({
      kind: "model-missing",
      message: `Ollama at ${ollama.url} has no model "bge-m3". Get it with: ollama pull bge-m3`,
    });
    expect(ollama.embedded.length).toBe(before);
  });

  it("is nothing that listens: the command that starts it and the setting are named", async () => {
    const { error } = await ask(embedOne, { baseUrl: "http://127.0.0.1:1", hint: "" });
    expect(error?.kind).toBe("not-running");
    expect(error?.message).toMatch(
      /^No Ollama at http:\/\/127\.0\.0\.1:1 \(ECONNREFUSED\)\. Start it with: ollama serve\. Or set PI_WIKI/,
    );
    expect((await ask(embedOne, { baseUrl: "http://localhost:1", hint: "A hint." })).error?.message).toMatch(
      /A hint\.$/,
    );
  });

  it("is an address that is not plainly loopback: what was meant is suggested, and nothing is contacted", async () => {
    const { error } = await ask(embedOne, { baseUrl: "0.0.0.0:11434" });
    expect(error?.kind).toBe("address");
    expect(error?.message).toContain('"0.0.0.0:11434" is not a URL');
    expect(error?.message).toContain("Did you mean http://127.0.0.1:11434?");
  });

  it("never repeats a password from a wrong address", async () => {
    const { error } = await ask(embedOne, { baseUrl: "http://me:hunter2@localhost:11434" });
    expect(error?.message).toContain("holds a user name or a password");
    expect(error?.message).not.toContain("hunter2");
  });

  it("is a model name that no command line should see", async () => {
    expect((await ask(embedOne, { model: "x; rm -rf ~" })).error?.kind).toBe("address");
  });

  it("is a call that was cancelled, at once and without an open socket", async () => {
    ollama.misbehave("hang", "/api/embed");
    const calling = new AbortController();
    const asked = ask(embedOne, { signal: calling.signal });
    while (ollama.requests.at(-1)?.path !== "/api/embed") await new Promise((later) => setTimeout(later, 5));
    calling.abort();
    expect((await asked).error?.kind).toBe("cancelled");
    while (ollama.open() > 0) await new Promise((later) => setTimeout(later, 5));
  });
});
