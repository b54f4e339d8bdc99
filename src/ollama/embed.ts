// The two things that can be asked of Ollama: which version of the model is installed (its digest), and what it makes
// of some texts. Nothing is downloaded, nothing is probed, and nothing about the model is taken on trust: an answer is
// checked for count, dimension and finite numbers before it goes anywhere.
import { LIMITS } from "../shared/limits.ts";
import { type Answer, type GuardedRequest, guardedRequest, RequestFailure } from "./request.ts";
import {
  badAddress,
  badModelName,
  badStatus,
  fromFailure,
  modelMissing,
  notOllama,
  oldServer,
  type Subject,
  type Trouble,
  wrongAnswer,
} from "./trouble.ts";
import { checkOllamaUrl, type LoopbackAddress } from "./url.ts";

export const EMBED_TEXTS_MAX = 64; // what fits `embedResponseMaxBytes` at the largest dimension in use
export const DIMENSION_MAX = 16_384;
const TAGS_MAX_BYTES = 4 * 1024 * 1024; // thousands of models
const VERSION_MAX_BYTES = 4 * 1024; // a word
const VERSION = /^[\x21-\x7e]{1,60}$/;
const DIGEST = /^[\x21-\x7e]{1,200}$/;
const MODEL_NAME = /^[A-Za-z0-9][A-Za-z0-9._:/-]{0,199}$/;

export interface Connection {
  baseUrl: string;
  model: string;
  /** For all requests together. */
  deadlineMs: number;
  signal?: AbortSignal | undefined;
  hint?: string | undefined;
}

export interface InstalledModel {
  /** The name as configured. */
  model: string;
  digest: string;
}

export interface Embeddings extends InstalledModel {
  dimension: number;
  /** In the order of the texts. */
  vectors: Float32Array[];
}

/** Thrown by everything here, and by nothing else: trouble that an agent or a user can act on. */
export class OllamaTrouble extends Error {
  override readonly name = "OllamaTrouble";
  readonly trouble: Trouble;

  constructor(trouble: Trouble) {
    super(trouble.message);
    this.trouble = trouble;
  }
}

export async function installedModel(connection: Connection): Promise<InstalledModel> {
  return await new Ollama(connection).installed();
}

/** One vector for each text. The model's digest is asked for first, so that both speak of the same installation. */
export async function embed(texts: readonly string[], connection: Connection): Promise<Embeddings> {
  const ollama = new Ollama(connection);
  const installed = await ollama.installed();
  const vectors = await ollama.vectors(texts);
  return { ...installed, dimension: vectors[0]?.length ?? 0, vectors };
}

export class Ollama {
  readonly #address: LoopbackAddress;
  readonly #subject: Subject;
  readonly #endsAt: number;
  readonly #signal: AbortSignal | undefined;

  constructor({ baseUrl, model, deadlineMs, signal, hint = "" }: Connection) {
    const verdict = checkOllamaUrl(baseUrl);
    if (!verdict.ok) throw new OllamaTrouble(badAddress(baseUrl, verdict));
    if (!MODEL_NAME.test(model)) throw new OllamaTrouble(badModelName());
    const { host, port, path } = verdict.address;
    this.#address = verdict.address;
    this.#subject = { server: `http://${host}:${port}${path}`, model, deadlineMs, hint };
    this.#endsAt = performance.now() + deadlineMs;
    this.#signal = signal;
  }

  /** What it says that it is; null where it does not say. */
  async version(): Promise<string | null> {
    const answer = await this.#send("GET", "/api/version", VERSION_MAX_BYTES);
    if (answer.status === 404) return null;
    if (answer.status !== 200) throw this.#status(answer);
    const { version } = (this.#json(answer) ?? {}) as { version?: unknown };
    return typeof version === "string" && VERSION.test(version) ? version : null;
  }

  async installed(): Promise<InstalledModel> {
    const answer = await this.#send("GET", "/api/tags", TAGS_MAX_BYTES);
    if (answer.status !== 200) throw this.#status(answer);
    const digest = digestOf(this.#subject.model, this.#json(answer));
    if (digest === "unlisted") throw new OllamaTrouble(notOllama("no list of models", this.#subject));
    if (digest === null) throw new OllamaTrouble(modelMissing(this.#subject));
    return { model: this.#subject.model, digest };
  }

  async vectors(texts: readonly string[]): Promise<Float32Array[]> {
    const body = JSON.stringify({ model: this.#subject.model, input: texts });
    const answer = await this.#send("POST", "/api/embed", LIMITS.embedResponseMaxBytes, body);
    if (answer.status !== 200) throw this.#status(answer);
    const checked = readVectors(this.#json(answer), texts.length);
    if (typeof checked === "string") throw new OllamaTrouble(wrongAnswer(checked, this.#subject));
    return checked;
  }

  async #send(method: "GET" | "POST", path: `/${string}`, maxResponseBytes: number, body?: string): Promise<Answer> {
    const request: GuardedRequest = {
      address: this.#address,
      method,
      path,
      maxRequestBytes: LIMITS.embedRequestMaxBytes,
      maxResponseBytes,
      endsAt: this.#endsAt,
      signal: this.#signal,
      ...(body === undefined ? {} : { body }),
    };
    try {
      return await guardedRequest(request);
    } catch (error) {
      if (error instanceof RequestFailure) throw new OllamaTrouble(fromFailure(error, this.#subject));
      throw error;
    }
  }

  #json({ contentType, body }: Answer): unknown {
    if (!/^application\/json\b/i.test(contentType)) {
      const what = /html/i.test(contentType) ? "a web page" : "something else than JSON";
      throw new OllamaTrouble(notOllama(what, this.#subject));
    }
    try {
      return JSON.parse(body.toString("utf8"));
    } catch {
      throw new OllamaTrouble(notOllama("JSON that cannot be read", this.#subject));
    }
  }

  /** Ollama says in JSON that a model is missing; a plain 404 comes from a server that does not know the path. */
  #status(answer: Answer): OllamaTrouble {
    const said = errorText(answer);
    if (answer.status === 404 && said === null) return new OllamaTrouble(oldServer(this.#subject));
    if (answer.status === 404 && /not found/i.test(said ?? "")) return new OllamaTrouble(modelMissing(this.#subject));
    return new OllamaTrouble(badStatus(answer.status, said ?? "", this.#subject));
  }
}

function errorText({ contentType, body }: Answer): string | null {
  if (!/^application\/json\b/i.test(contentType)) return null;
  try {
    const { error } = JSON.parse(body.toString("utf8")) as { error?: unknown };
    return typeof error === "string" ? error : null;
  } catch {
    return null;
  }
}

/** The digest of a model in the answer of `/api/tags`; null when it is not installed. */
export function digestOf(model: string, tags: unknown): string | "unlisted" | null {
  const models = (tags as { models?: unknown } | null)?.models;
  if (!Array.isArray(models)) return "unlisted";
  const wanted = canonicalName(model);
  for (const entry of models as ({ name?: unknown; model?: unknown; digest?: unknown } | null)[]) {
    if (![entry?.name, entry?.model].some((name) => typeof name === "string" && canonicalName(name) === wanted))
      continue;
    return typeof entry?.digest === "string" && DIGEST.test(entry.digest) ? entry.digest : null;
  }
  return null;
}

/** Ollama takes a name without a tag for `:latest`, and does not tell upper from lower case. */
export function canonicalName(name: string): string {
  const last = name.slice(name.lastIndexOf("/") + 1);
  return (last.includes(":") ? name : `${name}:latest`).toLowerCase();
}

/** The vectors of an `/api/embed` answer as 32-bit floats, or what is wrong with them. */
export function readVectors(answer: unknown, count: number): Float32Array[] | string {
  const lists = (answer as { embeddings?: unknown } | null)?.embeddings;
  if (!Array.isArray(lists)) return "the answer holds none";
  if (lists.length !== count) return `${lists.length} came for ${count} texts`;
  const vectors: Float32Array[] = [];
  for (const list of lists) {
    if (!Array.isArray(list) || list.length === 0) return "one of them is empty";
    if (list.length > DIMENSION_MAX) return `one of them has more than ${DIMENSION_MAX} numbers`;
    if (list.length !== (vectors[0]?.length ?? list.length)) return "they differ in length";
    if (!list.every((number) => typeof number === "number")) return "one of them holds something else than numbers";
    const vector = Float32Array.from(list as number[]);
    if (!vector.every(Number.isFinite)) return "one of them holds a number that is not finite";
    if (vector.every((number) => number === 0)) return "one of them is all zeros, which points nowhere";
    vectors.push(vector);
  }
  return vectors;
}
