// What the sandbox emits, put together again: for each piece of a file a header, `{"name", "bytes"}` as JSON in a
// message of its own, then messages with exactly so many bytes. The sandbox is not trusted to keep to it.
import { WikiError } from "../shared/errors.ts";

const HEADER_MAX_BYTES = 500;

/** Takes messages one by one and hands on the bytes with the name of their file. Throws `sandbox-failed` for anything else. */
export function frameReader(take: (name: string, bytes: Uint8Array) => void): (message: Uint8Array) => void {
  let name = "";
  let left = 0;
  return (message) => {
    if (left === 0) {
      ({ name, bytes: left } = header(message));
      take(name, message.subarray(message.length)); // a file may be empty
      return;
    }
    if (message.length > left) throw outOfStep();
    left -= message.length;
    take(name, message);
  };
}

function header(message: Uint8Array): { name: string; bytes: number } {
  if (message.length > HEADER_MAX_BYTES) throw outOfStep();
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(message));
  } catch {
    throw outOfStep();
  }
  const { name, bytes } = (value ?? {}) as Record<string, unknown>;
  if (typeof name !== "string" || !Number.isSafeInteger(bytes) || (bytes as number) < 0) throw outOfStep();
  return { name, bytes: bytes as number };
}

function outOfStep(): WikiError {
  return new WikiError("sandbox-failed", "The sandbox sent the index out of order. Nothing was written; try again.");
}
