// What crosses between the host and a sandbox, as plain data: one request text in, one response text out, and
// beside them the listing (what the vault's folders hold) and, for the index command, the bytes of a file.
import type { Operation, Payload } from "./envelope.ts";
import type { ProcessStatus } from "./errors.ts";

/** The request text, as JSON. Python's `bridge.py` reads exactly this. */
export interface Request {
  operation: Operation;
  arguments: Payload;
  vault: VaultFacts;
  /** Time left for this call when it was sent, in milliseconds: loops in Python count against it. */
  remainingMs: number;
  /** Facts only the host knows, passed through into the payload (doctor) or used by the operation. */
  host: Payload;
}

export interface VaultFacts {
  /** The vault as the user named it: text to show, never a path to open. */
  shown: string;
  /** The vault-relative folder the pages live in; `.` for the whole vault. */
  wiki: string;
}

/** Progress of long work inside the sandbox. */
export interface Progress {
  /** What is being done, for a person: "Reading pages". */
  what: string;
  done: number;
  total: number;
}

/** What the worker reports once it is ready. */
export interface Ready {
  /** Milliseconds from the start of the thread. */
  startMs: number;
  /** How Python was started: from the snapshot, or cold with the reason why. */
  start: "snapshot" | "cold";
  coldReason: string | null;
  versions: { pyodide: string; python: string; node: string };
  mount: { path: string; mode: string; readOnly: true } | null;
}

/** How one request ended inside the worker. */
export interface Reply {
  kind: "answered" | "failed" | "dead";
  /** The response text's bytes; empty unless `answered`. */
  response: Uint8Array;
  /** True when the response was larger than one message may be. */
  overflow: boolean;
  stderr: string;
  /** How many pieces of files were sent beside the reply: they come by another way, and may come later. */
  emitted: number;
  /** Bytes of WebAssembly memory in use: a sandbox that has grown large is replaced. */
  heapBytes: number;
}

export type { ProcessStatus };
