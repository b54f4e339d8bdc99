// The device files through which everything crosses, as bytes. Python opens them like any file; no live object of
// JavaScript is ever handed to Python.
import { ERRNO, type HostFunctions, TELL } from "./host-functions.ts";
import { yamlAnswer } from "./yaml.ts";

const QUESTION_MAX_BYTES = 1024 * 1024; // one write to a device that asks
const RESPONSE_MAX_BYTES = 256 * 1024; // LIMITS.responseMaxBytes; past it the write fails and nothing is cut

type Ops = Partial<
  Record<"read" | "write", (stream: unknown, memory: Uint8Array, offset: number, length: number) => number>
>;

/** Emscripten's FS, as far as the realm uses it. */
// biome-ignore lint/suspicious/noExplicitAny: untyped third-party object, narrowed at its uses
export type EmscriptenFs = any;

export interface Devices {
  /** Sets up the next request and gives back the array that its text goes into. */
  request(length: number): Uint8Array;
  listing(length: number): Uint8Array;
  responseLength(): number;
  responseBytes(): Uint8Array;
}

export function makeDevices(fs: EmscriptenFs, host: HostFunctions): Devices {
  const fail = (errno: number): never => {
    throw new fs.ErrnoError(errno);
  };
  let major = 90;
  const device = (name: string, ops: Ops) => {
    const id = fs.makedev(major++, 0);
    fs.registerDevice(id, {
      open(stream: { seekable: boolean }) {
        stream.seekable = false;
      },
      close() {},
      llseek: () => fail(ERRNO.ESPIPE),
      read: () => 0,
      write: () => fail(ERRNO.EROFS),
      ...ops,
    });
    fs.mkdev(`/dev/${name}`, 0o600, id);
  };

  const request = source();
  const listing = source();
  device("wiki_req", { read: request.read });
  device("wiki_listing", { read: listing.read });

  const response = new Uint8Array(RESPONSE_MAX_BYTES);
  let responseLength = 0;
  device("wiki_res", {
    write(_stream, memory, offset, length) {
      if (responseLength + length > RESPONSE_MAX_BYTES) {
        responseLength = RESPONSE_MAX_BYTES + 1;
        return fail(ERRNO.EFBIG);
      }
      response.set(memory.subarray(offset, offset + length), responseLength);
      responseLength += length;
      return length;
    },
  });

  const unread: ReturnType<typeof source>[] = [];
  const answers = (ask: (question: Uint8Array) => Uint8Array): Ops => {
    const answer = source();
    unread.push(answer);
    return {
      write(_stream, memory, offset, length) {
        if (length > QUESTION_MAX_BYTES) return fail(ERRNO.EFBIG);
        answer.fill(ask(memory.slice(offset, offset + length)));
        return length;
      },
      read: answer.read,
    };
  };
  device("wiki_yaml", answers(yamlAnswer));
  device(
    "wiki_ask",
    answers((question) => {
      let length: unknown;
      try {
        length = host.ask(0, question);
      } catch {
        length = -1;
      }
      if (typeof length !== "number" || length < 0) return fail(ERRNO.EIO);
      const answer = new Uint8Array(length);
      try {
        host.ask(1, answer);
      } catch {}
      return answer;
    }),
  );

  const tells = (kind: number): Ops => ({
    write(_stream, memory, offset, length) {
      let result: unknown;
      try {
        result = host.tell(kind, memory.slice(offset, offset + length));
      } catch {
        result = -1;
      }
      return result === 0 ? length : fail(ERRNO.EIO);
    },
  });
  device("wiki_progress", tells(TELL.progress));
  device("wiki_out", tells(TELL.emit));

  return {
    request(length) {
      responseLength = 0;
      for (const answer of [listing, ...unread]) answer.fill(new Uint8Array(0));
      return request.fill(new Uint8Array(length));
    },
    listing: (length) => listing.fill(new Uint8Array(length)),
    responseLength: () => responseLength,
    responseBytes: () => response,
  };
}

/** Bytes that a device hands out from front to back, once. */
function source() {
  let bytes: Uint8Array = new Uint8Array(0);
  let position = 0;
  return {
    fill(next: Uint8Array): Uint8Array {
      bytes = next;
      position = 0;
      return bytes;
    },
    read(_stream: unknown, memory: Uint8Array, offset: number, length: number): number {
      const end = Math.min(bytes.length, position + length);
      memory.set(bytes.subarray(position, end), offset);
      const count = end - position;
      position = end;
      return count;
    },
  };
}
