// The built command line as a child process.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { projectRoot } from "./garden.ts";

export const CLI = join(projectRoot, "dist/cli.js");

export interface CliOptions {
  cwd?: string;
  /** The whole environment but PATH; a test's own machine must not select a vault. */
  env?: Record<string, string>;
  node?: string;
}

export interface CliRun {
  status: number | null;
  stdout: string;
  stderr: string;
}

export async function wikiCli(argv: readonly string[], options: CliOptions = {}): Promise<CliRun> {
  return finished(startCli(argv, options));
}

export function startCli(argv: readonly string[], { cwd, env = {}, node = process.execPath }: CliOptions = {}) {
  const home = { HOME: "/nonexistent-home", PATH: process.env.PATH ?? "" };
  return spawn(node, [CLI, ...argv], { cwd: cwd ?? projectRoot, env: { ...home, ...env } });
}

export async function finished(child: ChildProcess): Promise<CliRun> {
  const gathered = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]!.setEncoding("utf8").on("data", (text: string) => {
      gathered[name] += text;
    });
  }
  await once(child, "close");
  return { status: child.exitCode, ...gathered };
}
