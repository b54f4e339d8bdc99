// Python's own files (the standard library, /tmp) live in JavaScript memory, outside WebAssembly's: they get a budget,
// and may be written only below /tmp, so that nothing that one request leaves can run in the next.
import type { EmscriptenFs } from "./devices.ts";
import { ERRNO } from "./host-functions.ts";

const BUDGET_BYTES = 64 * 1024 * 1024;

interface Node {
  parent: Node;
  name: string;
  usedBytes: number;
}
// biome-ignore lint/suspicious/noExplicitAny: Emscripten's operation tables have no types
type Operations = Record<string, (...args: any[]) => unknown>;

export interface MemoryFiles {
  /** True when something was written or changed since `forget`. */
  touched(): boolean;
  forget(): void;
}

/** `api` is Pyodide's private interface, which makes a device of its own while it words an exception. */
export function lockMemoryFiles(fs: EmscriptenFs, api: Record<string, () => unknown>): MemoryFiles {
  const { file, dir } = fs.filesystems.MEMFS.ops_table as Record<
    "file" | "dir",
    { node: Operations; stream: Operations }
  >;
  let left = BUDGET_BYTES;
  let touched = false;
  let wording = false;

  const fail = (errno: number): never => {
    throw new fs.ErrnoError(errno);
  };
  const spend = (bytes: number) => {
    if (bytes > left) fail(ERRNO.ENOSPC);
    left -= bytes;
  };
  const mustBeInTmp = (node: Node) => {
    let top = node;
    while (top.parent !== top && top.parent.parent !== top.parent) top = top.parent;
    if (top.name !== "tmp" || top.parent !== fs.root) fail(ERRNO.EROFS);
    touched = true;
  };
  const mustBeBelowTmp = (node: Node) => {
    if (node.parent === fs.root) fail(ERRNO.EROFS);
    mustBeInTmp(node);
  };
  const guard = (table: Operations, name: string, check: (...args: never[]) => void) => {
    const original = table[name] as (...args: unknown[]) => unknown;
    table[name] = (...args: unknown[]) => {
      check(...(args as never[]));
      return original(...args);
    };
  };

  guard(file.stream, "write", (stream: { node: Node }, _memory: unknown, _offset: unknown, length: number) => {
    mustBeInTmp(stream.node);
    spend(length);
  });
  guard(file.node, "setattr", (node: Node, attributes: { size?: number }) => {
    mustBeBelowTmp(node);
    if (attributes.size !== undefined) spend(Math.max(0, attributes.size - node.usedBytes));
  });
  guard(dir.node, "setattr", mustBeBelowTmp);
  guard(dir.node, "rename", (from: Node, folder: Node) => {
    mustBeInTmp(from);
    mustBeInTmp(folder);
  });
  for (const operation of ["mknod", "symlink", "unlink", "rmdir"]) {
    guard(dir.node, operation, (folder: Node, name: string) => {
      if (wording && folder.name === "dev" && name === "capture_stderr") return;
      mustBeInTmp(folder);
    });
  }
  // Pyodide makes this device while it words an uncaught exception, and removes it again.
  for (const name of ["capture_stderr", "restore_stderr"]) {
    const original = api[name] as () => unknown;
    api[name] = () => {
      wording = true;
      try {
        return original();
      } finally {
        wording = false;
      }
    };
  }

  return {
    touched: () => touched,
    forget() {
      touched = false;
    },
  };
}
