// What went wrong with Ollama, as data: a word for programs, and a sentence with the cause and what to do about it.
// Each sentence exists once, here. It goes through the sandbox into `semanticError`, which an agent reads.
import type { RequestFailure } from "./request.ts";
import type { UrlVerdict } from "./url.ts";

export type TroubleKind =
  | "address" // the configured URL or model name cannot be used
  | "not-running"
  | "model-missing"
  | "old-server"
  | "not-embedding" // the model is there and is not made for this
  | "refused" // other 4xx
  | "server-failed" // 5xx
  | "not-ollama" // something else answers there
  | "cut-off"
  | "too-large"
  | "deadline"
  | "cancelled"
  | "wrong-answer" // vectors that cannot be used
  | "question"; // the sandbox asked for something else than embeddings

export interface Trouble {
  kind: TroubleKind;
  message: string;
}

/** What the sentences are about: the server, the model, and the time that was given. */
export interface Subject {
  /** `http://127.0.0.1:11434`, once the address is known to be a plain loopback one. */
  server: string;
  model: string;
  deadlineMs: number;
  /** Added where nothing answers at all. */
  hint: string;
}

const DETAIL_MAX_CHARS = 120;

export function badAddress(raw: unknown, verdict: Extract<UrlVerdict, { ok: false }>): Trouble {
  const meant = verdict.suggestion ? ` Did you mean ${verdict.suggestion}?` : "";
  return trouble(
    "address",
    `The Ollama address${quoted(raw)} ${verdict.reason}.${meant} ` +
      "Set PI_WIKI_OLLAMA_URL to a loopback address such as http://127.0.0.1:11434.",
  );
}

export function badModelName(): Trouble {
  return trouble(
    "address",
    "The model's name is not one Ollama knows. Set PI_WIKI_OLLAMA_MODEL as in qwen3-embedding:4b.",
  );
}

export function modelMissing({ model, server }: Subject): Trouble {
  return trouble("model-missing", `Ollama at ${server} has no model "${model}". Get it with: ollama pull ${model}`);
}

export function oldServer({ server }: Subject): Trouble {
  return trouble("old-server", `Ollama at ${server} is too old: it has no /api/embed. Update it to 0.3.0 or later.`);
}

/** An answer with an error status; `said` is the server's own word for it. */
export function badStatus(status: number, said: string, subject: Subject): Trouble {
  const words = said ? ` (${plain(said)})` : "";
  if (/does not support embed|not an embedding model/i.test(said)) {
    return trouble(
      "not-embedding",
      `The model "${subject.model}" does not make embeddings. Choose one that does with PI_WIKI_OLLAMA_MODEL, ` +
        "as in qwen3-embedding:4b, and get it with: ollama pull qwen3-embedding:4b",
    );
  }
  if (status >= 500) {
    return trouble(
      "server-failed",
      `Ollama at ${subject.server} failed with status ${status}${words}. Look into its log and start it again with: ollama serve`,
    );
  }
  return trouble(
    "refused",
    `Ollama at ${subject.server} refused the request with status ${status}${words}. ` +
      `Update Ollama, or get the model anew with: ollama pull ${subject.model}`,
  );
}

export function notOllama(what: string, { server }: Subject): Trouble {
  return trouble(
    "not-ollama",
    `What answers at ${server} is not Ollama: it sent ${what}. ` +
      "Start Ollama there with: ollama serve. Or set PI_WIKI_OLLAMA_URL to where it is.",
  );
}

export function wrongAnswer(what: string, { model }: Subject): Trouble {
  return trouble(
    "wrong-answer",
    `Ollama's embeddings cannot be used: ${what}. Update Ollama, or get the model anew with: ollama pull ${model}`,
  );
}

export function badQuestion(what: string): Trouble {
  return trouble("question", `Only embeddings and the model's digest can be asked for: ${what}.`);
}

/** A request that brought no whole answer. */
export function fromFailure(failure: RequestFailure, subject: Subject): Trouble {
  const { server, model } = subject;
  switch (failure.kind) {
    case "cancelled":
      return trouble("cancelled", "The call was cancelled while Ollama was working.");
    case "deadline":
      return trouble(
        "deadline",
        `Ollama at ${server} did not answer within ${seconds(subject.deadlineMs)}. The model may still be loading: try ` +
          `again, see what runs with: ollama ps, or choose a smaller one than ${model} with PI_WIKI_OLLAMA_MODEL.`,
      );
    case "unreachable": {
      const hint = subject.hint || "Or set PI_WIKI_OLLAMA_URL to where it listens.";
      const detail = failure.detail ? ` (${plain(failure.detail)})` : "";
      return trouble("not-running", `No Ollama at ${server}${detail}. Start it with: ollama serve. ${hint}`);
    }
    case "redirect":
      return notOllama(`a redirect (${failure.detail}), which is never followed`, subject);
    case "garbled":
      return notOllama(plain(failure.detail) || "no HTTP answer", subject);
    case "response-too-large":
      return trouble(
        "too-large",
        `What answers at ${server} sent more than embeddings can be. Check that it is Ollama, or start that with: ollama serve`,
      );
    case "request-too-large":
      return badQuestion("the texts are too large for one request");
    case "cut-off":
      return trouble(
        "cut-off",
        `Ollama at ${server} closed the connection before its answer was complete. Look into its log and start it again with: ollama serve`,
      );
  }
}

function trouble(kind: TroubleKind, message: string): Trouble {
  return { kind, message };
}

function seconds(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${Number((ms / 1000).toFixed(1))} s`;
}

/** A server's own words, fit for one line: it may be anything that listens there. */
function plain(said: string): string {
  const line = said.replace(/[\p{C}\p{Z}]+/gu, " ").trim();
  const characters = [...line];
  return characters.length > DETAIL_MAX_CHARS ? `${characters.slice(0, DETAIL_MAX_CHARS).join("")}…` : line;
}

/** A wrong address as the user wrote it, unless it may hold a password or could mislead. */
function quoted(raw: unknown): string {
  return typeof raw === "string" && /^[A-Za-z0-9.:/[\]_-]{1,80}$/.test(raw) ? ` "${raw}"` : "";
}
