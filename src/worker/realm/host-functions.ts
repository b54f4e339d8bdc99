// The functions the realm is given, and the only way out of it. They arrive as lexical parameters: never stored on an
// object, returned, thrown or passed on. Each takes numbers, strings and typed arrays and gives back a number or a
// string; what it writes, it writes into arrays that the realm made.

export interface HostFunctions {
  /** Decodes bytes; the text, or -1 when the bytes are too many or not bytes. */
  decode(label: string, bytes: Uint8Array): string | number;
  /** Length of a text in UTF-8, in bytes. */
  utf8Length(text: string): number;
  /** Encodes into `target`; characters read × 2^32 + bytes written, or -1. */
  utf8Write(text: string, target: Uint8Array): number;
  /** Fills with random bytes; 0, or -1. */
  random(target: Uint8Array): number;
  /** Monotonic milliseconds. */
  now(): number;
  /** Fills Python's memory with the snapshot's pages; 0, or -1 when they are not what was published. */
  restore(memory: Int8Array): number;
  /** Takes what Python prints (1 stdout, 2 stderr). */
  output(stream: number, bytes: Uint8Array | string): number;
  /** One operation of the read-only file system: see `rofs.ts`. */
  files(op: number, a?: unknown, b?: unknown, c?: unknown, d?: unknown, e?: unknown): number | string | null;
  /** `ask(0, question)` asks the host and gives the answer's length in bytes; `ask(1, target)` fetches it. */
  ask(step: number, bytes: Uint8Array): number;
  /** Progress of long work, and bytes of a file for the host to publish. */
  tell(kind: number, bytes: Uint8Array): number;
}

export const TELL = { progress: 0, emit: 1 } as const;

/** Errno values in Emscripten's (WASI's) numbering. */
export const ERRNO = { EFBIG: 22, EINVAL: 28, EIO: 29, ENOSPC: 51, EROFS: 69, ESPIPE: 70 } as const;
