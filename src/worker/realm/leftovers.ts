// What one request could leave for the next in the realm's own file system: an open file, another working folder, a
// mount, anything written to memory files. Noted once the doors are closed, compared after each request.
import type { EmscriptenFs } from "./devices.ts";
import type { MemoryFiles } from "./memory-files.ts";

const STANDARD_STREAMS = 3; // Python's own stdin, stdout and stderr
// An index file stays open in Python's eyes from call to call; the host has closed it, so what is left is a number.
const VAULT_FILES_HELD = 8;

interface Stream {
  node: { mount: unknown };
}

/** Notes how things are now; the answer tells whether they are still so. */
export function noteFiles(fs: EmscriptenFs, memory: MemoryFiles, vault: string | null): () => boolean {
  memory.forget();
  const streams: unknown[] = [...fs.streams];
  const flags = streams.slice(0, STANDARD_STREAMS).map((stream) => (stream as { flags: number }).flags);
  const mounts: unknown[] = [...fs.root.mount.mounts];
  const folder: string = fs.cwd();
  const vaultMount: unknown = vault === null ? null : fs.lookupPath(vault).node.mount;

  return () => {
    if (memory.touched() || fs.cwd() !== folder) return false;
    const mounted: unknown[] = fs.root.mount.mounts;
    if (mounted.length !== mounts.length || mounts.some((mount, index) => mounted[index] !== mount)) return false;
    const open: unknown[] = fs.streams;
    let held = 0;
    for (let index = 0; index < Math.max(open.length, streams.length); index++) {
      const stream = open[index] ?? null;
      if (stream === (streams[index] ?? null)) continue;
      if (vaultMount === null || (stream as Stream | null)?.node.mount !== vaultMount) return false;
      if (++held > VAULT_FILES_HELD) return false;
    }
    return flags.every((was, index) => (open[index] as { flags: number }).flags === was);
  };
}
