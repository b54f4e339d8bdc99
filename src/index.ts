// The library: open a wiki, call its operations, close it.
export type { CallOptions, Wiki, WikiOptions } from "./host/wiki.ts";
export { openWiki } from "./host/wiki.ts";
export type { Envelope, Failure, Operation, Payload, Success } from "./shared/envelope.ts";
export { OPERATIONS } from "./shared/envelope.ts";
export type { ErrorCode, ProcessStatus } from "./shared/errors.ts";
export { ERROR_CODES, WikiError } from "./shared/errors.ts";
export { LIMITS } from "./shared/limits.ts";
export type { Progress } from "./shared/protocol.ts";
export { TOOLS } from "./tools/catalog.ts";
