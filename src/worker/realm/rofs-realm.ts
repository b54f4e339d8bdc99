// The realm half of the read-only file system: an Emscripten file system type over the host half in `rofs.ts`. It is
// read-only by absence: every operation that Emscripten needs and that would write is one function that says EROFS.
import type { EmscriptenFs } from "./devices.ts";
import type { HostFunctions } from "./host-functions.ts";
import { attributesFrom } from "./rofs-attributes.ts";

const OP = { RESET: 0, STAT: 1, DIR: 2, LIST: 3, OPEN: 4, FSTAT: 5, READ: 6, CLOSE: 7 } as const; // as in rofs.ts
const EINVAL = 28;
const EIO = 29;
const ELOOP = 32;
const ENODEV = 43;
const EROFS = 69;
const ESTALE = 72;

const FORMAT = 0o170000;
const REGULAR = 0o100000;
const FOLDER = 0o040000;
const LINK = 0o120000;
const CHARACTER_DEVICE = 0o020000;

// Nodes are created with every permission: with less, Emscripten answers EACCES where the truth is EROFS.
// What Python sees is the mode that `getattr` reports.
const ANYTHING = 0o777;

const O_ACCMODE = 3;
const SEEK_CUR = 1;
const SEEK_END = 2;

// Emscripten's directory entries know four types. A pipe or a socket must not look like a file, so whatever is not
// one of three is shown as a character device; `stat` tells the truth.
const LISTED: Record<string, number> = { f: REGULAR, d: FOLDER, l: LINK, o: CHARACTER_DEVICE };
const shownAs = (format: number) =>
  format === REGULAR || format === FOLDER || format === LINK ? format : CHARACTER_DEVICE;

interface Node {
  parent: Node;
  name: string;
  mode: number;
  node_ops: object;
  stream_ops: object;
  /** The directory's number on the host, good for one request. */
  hostNumber: number | undefined;
  hostRequest: number | undefined;
  /** What was listed in one request: a type, or the node of a directory that was looked up. */
  listed: Map<string, number | Node> | undefined;
  listedRequest: number | undefined;
}

interface Stream {
  fd: number;
  flags: number;
  node: Node;
  position: number;
  /** Shared by descriptors that `dup` made, so the host's file number lives here. */
  shared: { hostFile?: number | undefined; holders: number };
}

export interface ReadOnlyMount {
  type: { mount(): unknown };
  /** Called before each request: what was open or known in the last one is forgotten on both sides. */
  newRequest(): void;
}

/** `host` must not throw: whatever the other realm throws must not be seen here. */
export function readOnlyFs(fs: EmscriptenFs, host: HostFunctions["files"]): ReadOnlyMount {
  const numbers = new BigInt64Array(12);
  let request = 1;

  const fail = (errno: number): never => {
    throw new fs.ErrnoError(errno);
  };
  const readOnly = () => fail(EROFS);
  const checked = (result: unknown): number => {
    if (typeof result !== "number") return fail(EIO);
    return result < 0 ? fail(-result) : result;
  };

  const makeNode = (parent: Node, name: string, format: number): Node => {
    // Not fs.createNode: Emscripten would remember the node for ever and never notice that the file became a link.
    const node = new fs.FSNode(parent, name, format | ANYTHING, 0);
    node.node_ops = nodeOperations;
    node.stream_ops = streamOperations;
    return node;
  };
  const isRoot = (node: Node) => node.parent === node;

  const directoryNumber = (node: Node): number => {
    if (node.hostRequest !== request || node.hostNumber === undefined) {
      node.hostNumber = isRoot(node) ? 0 : checked(host(OP.DIR, directoryNumber(node.parent), node.name));
      node.hostRequest = request;
    }
    return node.hostNumber;
  };

  /** The host forgets directories when it holds too many; then their numbers are asked for again, from the root. */
  const inDirectory = <Result>(node: Node, ask: (directory: number) => Result): Result => {
    const result = ask(directoryNumber(node));
    if (result !== -ESTALE) return result;
    for (let at = node; !isRoot(at); at = at.parent) at.hostNumber = undefined;
    return ask(directoryNumber(node));
  };

  const nodeOperations = {
    getattr(node: Node) {
      if (isRoot(node)) checked(host(OP.STAT, 0, "", numbers));
      else checked(inDirectory(node.parent, (directory) => host(OP.STAT, directory, node.name, numbers)));
      return attributesFrom(numbers);
    },
    lookup(parent: Node, name: string): Node {
      // The last listing of this request saves a question.
      const listed = parent.listedRequest === request ? parent.listed?.get(name) : undefined;
      if (typeof listed === "object") return listed;
      let format = listed;
      if (format === undefined) {
        checked(inDirectory(parent, (directory) => host(OP.STAT, directory, name, numbers)));
        format = shownAs(Number(numbers[0]) & FORMAT);
      }
      const node = makeNode(parent, name, format);
      if (format === FOLDER) {
        if (parent.listedRequest !== request || !parent.listed) parent.listed = new Map();
        parent.listedRequest = request;
        parent.listed.set(name, node);
      }
      return node;
    },
    readdir(node: Node): string[] {
      const text = inDirectory(node, (directory) => host(OP.LIST, directory));
      if (typeof text !== "string") return fail(text !== null && text < 0 ? -text : EIO);
      const before = node.listedRequest === request ? node.listed : undefined;
      const listed = new Map<string, number | Node>();
      const names = [".", ".."];
      for (const entry of text.split("/")) {
        if (entry === "") continue;
        const name = entry.slice(1);
        const format = LISTED[entry[0]!] ?? CHARACTER_DEVICE;
        const known = format === FOLDER ? before?.get(name) : undefined;
        listed.set(name, typeof known === "object" ? known : format);
        names.push(name);
      }
      node.listed = listed;
      node.listedRequest = request;
      return names;
    },
    readlink: () => fail(ELOOP), // no link is followed, so none can be read
    statfs: () => ({
      bsize: 4096,
      frsize: 4096,
      blocks: 1,
      bfree: 0,
      bavail: 0,
      files: 1,
      ffree: 0,
      fsid: 1,
      flags: 3, // ST_RDONLY, ST_NOSUID
      namelen: 255,
    }),
    setattr: readOnly,
    mknod: readOnly,
    rename: readOnly,
    unlink: readOnly,
    rmdir: readOnly,
    symlink: readOnly,
  };

  const streamOperations = {
    open(stream: Stream) {
      try {
        if ((stream.flags & O_ACCMODE) !== 0) readOnly();
        if (fs.isDir(stream.node.mode)) return;
        const { parent, name } = stream.node;
        const file = checked(inDirectory(parent, (directory) => host(OP.OPEN, directory, name, numbers)));
        stream.shared.hostFile = file;
        stream.shared.holders = 1;
      } catch (error) {
        fs.closeStream(stream.fd); // Emscripten keeps the descriptor of a stream that did not open
        throw error;
      }
    },
    dup(stream: Stream) {
      if (stream.shared.hostFile !== undefined) stream.shared.holders++;
    },
    close(stream: Stream) {
      if (stream.shared.hostFile === undefined || --stream.shared.holders > 0) return;
      host(OP.CLOSE, stream.shared.hostFile);
      stream.shared.hostFile = undefined;
    },
    getattr(stream: Stream) {
      if (stream.shared.hostFile === undefined) return nodeOperations.getattr(stream.node);
      checked(host(OP.FSTAT, stream.shared.hostFile, numbers));
      return attributesFrom(numbers);
    },
    read: (stream: Stream, bytes: Uint8Array, offset: number, length: number, position: number) =>
      checked(host(OP.READ, stream.shared.hostFile, bytes, offset, length, position)),
    llseek(stream: Stream, offset: number, whence: number) {
      let position = offset;
      if (whence === SEEK_CUR) position += stream.position;
      if (whence === SEEK_END && stream.shared.hostFile !== undefined) {
        checked(host(OP.FSTAT, stream.shared.hostFile, numbers));
        position += Number(numbers[4]);
      }
      return position < 0 ? fail(EINVAL) : position;
    },
    mmap: () => fail(ENODEV), // it would copy a whole file that Python reads in pieces anyway
    write: readOnly,
    msync: readOnly,
  };

  return {
    type: {
      mount() {
        const root = fs.createNode(null, "/", FOLDER | ANYTHING, 0);
        root.node_ops = nodeOperations;
        root.stream_ops = streamOperations;
        return root;
      },
    },
    newRequest() {
      request++;
      host(OP.RESET);
    },
  };
}
