// What came out of a sandbox becomes an envelope. The sandbox is not trusted with its form: size, nesting, keys and
// types are checked here, and whatever is wrong is `sandbox-failed`.
import { clip, type Envelope, type Failure, type Operation, type Payload } from "../shared/envelope.ts";
import { ERROR_CODES, type ErrorCode, type ProcessStatus, WikiError } from "../shared/errors.ts";
import { LIMITS } from "../shared/limits.ts";
import type { Reply } from "../shared/protocol.ts";

const NESTING_MAX = 64; // answers nest five levels; more could exhaust the stack of whoever prints them

export function envelopeOf(operation: Operation, reply: Reply): Envelope {
  const status = (reason: string): ProcessStatus => ({
    exitCode: null,
    terminated: false,
    reason,
    stderr: reply.stderr,
  });
  if (reply.kind === "dead") {
    throw failed("Python crashed in the sandbox. The next call starts a new one.", status("crashed"));
  }
  if (reply.kind === "failed") {
    throw failed("Python stopped without an answer. The next call starts a new sandbox.", status("no answer"));
  }
  if (reply.overflow) {
    const most = `${LIMITS.responseMaxBytes / 1024} KiB`;
    throw new WikiError(
      "output-limit",
      `The answer is larger than ${most}. Ask for less: a smaller limit or maxChars.`,
      {
        processStatus: status("output-limit"),
      },
    );
  }
  const text = new TextDecoder().decode(reply.response);
  const value = nests(text, NESTING_MAX) ? undefined : parse(text);
  if (!isObject(value) || value.operation !== operation) {
    throw failed("The sandbox's answer is not one. The next call starts a new one.", status("malformed answer"));
  }
  if (value.ok === true && isObject(value.payload)) return { operation, ok: true, payload: value.payload };
  if (value.ok === false && isCode(value.code) && typeof value.message === "string") {
    const { code, message, payload } = value;
    const known: Failure = { operation, ok: false, code, message: clip(message) };
    if (isObject(payload)) known.payload = payload;
    if (reply.stderr) known.processStatus = status(code);
    return known;
  }
  throw failed("The sandbox's answer is not one. The next call starts a new one.", status("malformed answer"));
}

function failed(message: string, processStatus: ProcessStatus): WikiError {
  return new WikiError("sandbox-failed", message, { processStatus });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** True when brackets outside strings nest deeper than `most`. */
function nests(text: string, most: number): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (quoted) {
      if (code === 0x5c) at++;
      else if (code === 0x22) quoted = false;
    } else if (code === 0x22) quoted = true;
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > most) return true;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return false;
}

function isObject(value: unknown): value is Payload {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isCode(value: unknown): value is ErrorCode {
  return ERROR_CODES.includes(value as ErrorCode);
}
