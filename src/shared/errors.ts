// Error codes are the package's promise to programs; the message is for people. A class does not survive the
// thread boundary, so what crosses is plain data (`Failure`) and the class exists on one side only.

export const ERROR_CODES = [
  "invalid-input",
  "config-invalid",
  "no-vault",
  "vault-missing",
  "wiki-missing",
  "page-not-found",
  "page-refused",
  "hash-mismatch",
  "section-not-found",
  "section-ambiguous",
  "span-out-of-range",
  "cursor-invalid",
  "deadline",
  "cancelled",
  "output-limit",
  "sandbox-failed",
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** A failure with a code. `payload` keeps structure a caller can act on: the hash of now, the sections that fit. */
export class WikiError extends Error {
  override readonly name = "WikiError";

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: { payload?: Record<string, unknown>; processStatus?: ProcessStatus; cause?: unknown } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
  }
}

/** What became of the sandbox in a call that it failed or that it was ended in. */
export interface ProcessStatus {
  /** The worker's exit code, or null while it still runs. */
  exitCode: number | null;
  /** True when the host ended the worker. */
  terminated: boolean;
  reason: string;
  /** At most `LIMITS.stderrMaxBytes` bytes of what Python wrote to stderr. */
  stderr: string;
}
