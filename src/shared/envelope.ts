// The envelope is what every tool returns, on every face: same shape for success and failure.
import { type ErrorCode, type ProcessStatus, WikiError } from "./errors.ts";
import { LIMITS } from "./limits.ts";

export const OPERATIONS = ["search", "outline", "read", "doctor", "index"] as const;

/** The word that crosses the boundary: what the sandbox is asked to do. */
export type Operation = (typeof OPERATIONS)[number];

export type Payload = Record<string, unknown>;

export interface Success {
  operation: Operation;
  ok: true;
  payload: Payload;
}

export interface Failure {
  operation: Operation;
  ok: false;
  code: ErrorCode;
  /** At most `LIMITS.messageMaxChars` characters: what happened, where, and what to do next. */
  message: string;
  payload?: Payload;
  processStatus?: ProcessStatus;
}

export type Envelope = Success | Failure;

export function failure(operation: Operation, error: WikiError): Failure {
  const { payload, processStatus } = error.details;
  return {
    operation,
    ok: false,
    code: error.code,
    message: clip(error.message),
    ...(payload ? { payload } : {}),
    ...(processStatus ? { processStatus } : {}),
  };
}

/** Any thrown value as a failure; what is not ours becomes `sandbox-failed` without a stack trace. */
export function failureFrom(operation: Operation, thrown: unknown): Failure {
  if (thrown instanceof WikiError) return failure(operation, thrown);
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return failure(operation, new WikiError("sandbox-failed", `Something unexpected failed: ${reason}`));
}

/** At most `LIMITS.messageMaxChars` characters, none of them cut in half. */
export function clip(message: string): string {
  const characters = [...message];
  if (characters.length <= LIMITS.messageMaxChars) return message;
  return `${characters.slice(0, LIMITS.messageMaxChars - 1).join("")}…`;
}
