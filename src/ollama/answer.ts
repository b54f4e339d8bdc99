// Answers what the sandbox asks: text in, text out, whatever happens. The sandbox says which texts to embed and nothing
// else; the address, the path and the model are the host's own, so that whoever gets hold of the sandbox can send text
// to the user's own model and nowhere else.
import { LIMITS } from "../shared/limits.ts";
import { type Connection, EMBED_TEXTS_MAX, embed, installedModel, OllamaTrouble } from "./embed.ts";
import { badQuestion, type Trouble } from "./trouble.ts";

/** `withinMs` can only shorten the time the host gives: what is left of a call is known best where it runs. */
type Question = ({ ask: "digest" } | { ask: "embed"; input: string[] }) & { withinMs?: number };

/**
 * The answer as JSON text: `{"model", "digest"}`, for `embed` also `dimension` and `vectors` (each the base64 of 32-bit
 * floats, low byte first: JSON numbers would take five times the room), or `{"error": {"kind", "message"}}`. Never rejects.
 */
export async function answerQuestion(questionText: string, given: Connection): Promise<string> {
  try {
    const question = readQuestion(questionText);
    if (typeof question === "string") return failed(badQuestion(question));
    const deadlineMs = Math.min(given.deadlineMs, question.withinMs ?? given.deadlineMs);
    if (question.ask === "digest") {
      // Nothing is computed for it: who takes longer does not answer.
      const soon = { ...given, deadlineMs: Math.min(deadlineMs, LIMITS.embedDeadlineMs) };
      return JSON.stringify(await installedModel(soon));
    }
    const { vectors, ...rest } = await embed(question.input, { ...given, deadlineMs });
    return JSON.stringify({ ...rest, vectors: vectors.map(toBase64) });
  } catch (error) {
    if (error instanceof OllamaTrouble) return failed(error.trouble);
    const reason = error instanceof Error ? error.message : String(error);
    return failed({ kind: "server-failed", message: `Asking Ollama failed unexpectedly: ${reason.slice(0, 200)}` });
  }
}

/** The question, or what is wrong with it. Every key is accounted for: a question cannot carry an address. */
function readQuestion(text: string): Question | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "the question is not JSON";
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "the question is not an object";
  const { ask, input, withinMs, ...others } = value as Record<string, unknown>;
  if (Object.keys(others).length > 0) return "the question holds something else";
  if (withinMs !== undefined && !(typeof withinMs === "number" && withinMs > 0))
    return "the time is not a number above 0";
  const time = withinMs === undefined ? {} : { withinMs };
  if (ask === "digest") return input === undefined ? { ask, ...time } : "a digest needs no texts";
  if (ask !== "embed") return "the question is another one";
  if (!Array.isArray(input) || input.length === 0 || input.length > EMBED_TEXTS_MAX) {
    return `1 to ${EMBED_TEXTS_MAX} texts are embedded at once`;
  }
  if (!input.every((item) => typeof item === "string" && item.trim() !== "")) {
    return "each must be a text, and not a blank one";
  }
  return { ask, input: (input as string[]).map((item) => item.toWellFormed()), ...time };
}

function failed(error: Trouble): string {
  return JSON.stringify({ error });
}

function toBase64(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4);
  vector.forEach((number, index) => {
    bytes.writeFloatLE(number, index * 4);
  });
  return bytes.toString("base64");
}
