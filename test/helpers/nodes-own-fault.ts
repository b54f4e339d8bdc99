// A fault of Node itself (nodejs/node issue 64500): seldom, when a thread that ran WebAssembly ends, the whole process does.
// Nothing here can mend it, so what it ended is tried once more, and said.
const FAULT = "jit_page_->allocations_.erase";

/** Whether that is what a process printed at its end; says so, since then something is tried again. */
export function wasNodesOwnFault(printed: string): boolean {
  if (!printed.includes(FAULT)) return false;
  console.error("Node's own fault ended the process (nodejs/node#64500); tried once more.");
  return true;
}
