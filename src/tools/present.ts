// The last step before an answer leaves for a model: the 64 KiB rule, and what a face stores beside the answer.
import type { Envelope, Payload } from "../shared/envelope.ts";
import { failure } from "../shared/envelope.ts";
import { WikiError } from "../shared/errors.ts";
import { LIMITS } from "../shared/limits.ts";
import { grouped } from "./render.ts";
import type { WikiTool } from "./tool.ts";

export interface Presented {
  envelope: Envelope;
  /** The envelope as the model sees it. */
  json: string;
  /** The envelope with the words of pages replaced by their lengths: a body must not be stored twice. */
  details: Envelope;
}

/** The keys that hold words of a page; everything else in a payload is a name, a number or a reference. */
const BODIES: ReadonlySet<string> = new Set(["text", "excerpt", "content"]);

export function present(tool: WikiTool, args: Payload, answer: Envelope): Presented {
  const envelope = withinLimit(tool, args, answer);
  return { envelope, json: JSON.stringify(envelope), details: withoutBodies(envelope) };
}

/** The answer itself when a model may be shown it whole; never a part of it. */
export function withinLimit(tool: WikiTool, args: Payload, answer: Envelope): Envelope {
  const bytes = shownBytes(answer);
  if (bytes <= LIMITS.modelJsonMaxBytes) return answer;
  if (!answer.ok) return { ...answer, payload: { omitted: `${grouped(bytes)} bytes of structure did not fit` } };
  const fits = (payload: Payload) => shownBytes({ ...answer, payload }) <= LIMITS.modelJsonMaxBytes;
  const smaller = tool.smaller(args, answer.payload, fits);
  return failure(answer.operation, tooLarge(tool, bytes, smaller));
}

function tooLarge(tool: WikiTool, bytes: number, smaller: Payload | null): WikiError {
  const found = `The answer is ${grouped(bytes)} bytes of JSON, and a model is shown at most ${grouped(LIMITS.modelJsonMaxBytes)}.`;
  const next =
    smaller === null
      ? "Nothing smaller can be asked of this tool."
      : `Call ${tool.name} again with ${settings(smaller)} and everything else as it was.`;
  return new WikiError("output-limit", `${found} ${next}`, {
    payload: { bytes, limitBytes: LIMITS.modelJsonMaxBytes, smaller },
  });
}

function settings(args: Payload): string {
  return Object.entries(args)
    .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
    .join(", ");
}

/** What is really sent counts: escapes included, in bytes of UTF-8. */
function shownBytes(envelope: Envelope): number {
  return Buffer.byteLength(JSON.stringify(envelope), "utf8");
}

function withoutBodies(envelope: Envelope): Envelope {
  return envelope.payload === undefined ? envelope : { ...envelope, payload: measured(envelope.payload) as Payload };
}

function measured(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(measured);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      BODIES.has(key) && typeof inner === "string" ? [key, [...inner].length] : [key, measured(inner)],
    ),
  );
}
