// Another process that swaps two entries as fast as it can: what an attacker with write access to a vault would do, and
// what a sync program does slowly. With a C compiler the swap is one system call, so that neither name is ever missing.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const IN_C = `
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
static volatile sig_atomic_t over;
static void stop(int signal) { over = 1; }
int main(int count, char **names) {
  unsigned long swaps = 0;
  signal(SIGTERM, stop);
  prctl(PR_SET_PDEATHSIG, SIGKILL); /* no swapping goes on when the test run is killed */
  puts("swapping");
  fflush(stdout);
  while (!over) {
    swaps += syscall(SYS_renameat2, AT_FDCWD, names[1], AT_FDCWD, names[2], 2) == 0;
    if (swaps % 10000 == 0) { printf("%lu\\n", swaps); fflush(stdout); }
  }
  if (swaps % 2) syscall(SYS_renameat2, AT_FDCWD, names[1], AT_FDCWD, names[2], 2);
  printf("%lu\\n", swaps);
}`;

const IN_NODE = `
const { renameSync } = require("node:fs");
const [, a, b] = process.argv;
let swaps = 0;
console.log("swapping");
const round = () => {
  console.log(swaps);
  for (let i = 0; i < 200; i++, swaps++) { renameSync(a, a + "~"); renameSync(b, a); renameSync(a + "~", b); }
  setImmediate(round);
};
process.on("SIGTERM", () => {
  if (swaps % 2) { renameSync(a, a + "~"); renameSync(b, a); renameSync(a + "~", b); }
  console.log(swaps);
  process.exit(0);
});
round();`;

let program: string | null | undefined;

function compiled(): string | null {
  if (program !== undefined) return program;
  const folder = mkdtempSync(join(tmpdir(), "swapper-"));
  writeFileSync(join(folder, "swap.c"), IN_C);
  try {
    execFileSync("cc", ["-O2", "-w", "-o", join(folder, "swap"), join(folder, "swap.c")], { stdio: "ignore" });
    program = join(folder, "swap");
  } catch {
    console.error("Swapping in three steps instead of one: there is no C compiler on this machine.");
    program = null;
  }
  return program;
}

export interface Swapper {
  /** How often they were swapped, as far as it has said. */
  readonly swaps: number;
  /** Ends the process with both entries where they were; how often they were swapped. */
  stop(): Promise<number>;
}

export async function startSwapping(a: string, b: string): Promise<Swapper> {
  const swap = compiled();
  const child: ChildProcess = swap ? spawn(swap, [a, b]) : spawn(process.execPath, ["-e", IN_NODE, a, b]);
  let said = "";
  child.stdout!.on("data", (chunk: Buffer) => {
    said += chunk;
  });
  await once(child.stdout!, "data");
  const last = () => Number(/(\d+)\n$/.exec(said)?.[1] ?? 0);
  return {
    get swaps() {
      return last();
    },
    async stop() {
      child.kill("SIGTERM");
      await once(child, "close");
      return last();
    },
  };
}
