// Native Python beside the sandbox: one process that answers request texts, where this machine has a Python with PyYAML.
import { type ChildProcessByStdio, execFileSync, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";

const packageRoot = fileURLToPath(new URL("../../", import.meta.url));

/** The first Python 3.11 or newer that has PyYAML, or null. */
export const NATIVE_PYTHON: string | null =
  ["python3", "/usr/bin/python3"].find((python) => {
    try {
      execFileSync(python, ["-c", "import sys, yaml; sys.exit(sys.version_info < (3, 11))"], { stdio: "ignore" });
      return true;
    } catch {
      return false;
    }
  }) ?? null;

export class NativePython {
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #answers: { resolve(line: string): void; reject(error: Error): void }[] = [];

  constructor() {
    const driver = `${packageRoot}test/helpers/native_driver.py`;
    const env = { ...process.env, PYTHONPATH: `${packageRoot}py`, PYTHONDONTWRITEBYTECODE: "1" };
    this.#process = spawn(NATIVE_PYTHON!, [driver], { env, stdio: ["pipe", "pipe", "inherit"] });
    // Not `readline`: it also ends a line at U+2028, which stands in real pages.
    let rest = "";
    this.#process.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop()!;
      for (const line of lines) this.#answers.shift()?.resolve(line);
    });
    this.#process.on("close", () => {
      for (const { reject } of this.#answers) reject(new Error("native Python ended before it answered"));
    });
  }

  ask(root: string, request: string): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#answers.push({ resolve, reject });
      this.#process.stdin.write(`${JSON.stringify({ root, request })}\n`);
    });
  }

  close(): void {
    this.#process.stdin.end();
  }
}
