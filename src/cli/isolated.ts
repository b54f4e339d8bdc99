// `--isolated`: the same command in a Node started with the permission model, which may read this package and the vault
// and nothing else. The one place that starts a process, and only when a user asks for it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { realFolder } from "../host/real-folder.ts";
import type { Operation } from "../shared/envelope.ts";
import type { Settings } from "./program.ts";
import { selected } from "./selected.ts";

/** Where the package is: the command line is one file in its `dist`. */
const CLI = fileURLToPath(import.meta.url);
const PACKAGE = fileURLToPath(new URL("..", import.meta.url));

/** The exit status of the other Node. It prints the answer itself. */
export async function performIsolated(operation: Operation, settings: Settings, network: boolean): Promise<number> {
  const { vault, wiki, config } = await selected(operation, settings);
  const readable = [PACKAGE, ...(vault === null ? [] : await spellings(vault)), ...(config?.path ? [config.path] : [])];
  // The vault is settled here, since the other Node may not read the configuration it may come from.
  const settled = vault === null ? [] : ["--vault", vault, "--wiki-path", wiki];
  const child = spawn(process.execPath, [...permissions(readable, network), CLI, ...typedAgain(settled)], {
    stdio: "inherit",
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  const [status] = (await once(child, "exit")) as [number | null];
  return status ?? 1;
}

function permissions(readable: readonly string[], network: boolean): string[] {
  const knows = (flag: string) => process.allowedNodeEnvironmentFlags.has(flag);
  return [
    knows("--permission") ? "--permission" : "--experimental-permission",
    ...readable.map((path) => `--allow-fs-read=${path}`),
    "--allow-fs-read=/proc/self/fd/", // on Linux, how a page is opened without following links
    "--allow-worker",
    ...(network && knows("--allow-net") ? ["--allow-net"] : []), // older Nodes cannot forbid it
    "--disable-warning=ExperimentalWarning",
    "--disable-warning=SecurityWarning", // of --allow-worker: a worker has the same permissions
  ];
}

/** The folder as it was named and as it really is: links on the way to a vault are the user's own. */
async function spellings(vault: string): Promise<string[]> {
  const real = await realFolder(vault).catch(() => vault);
  return [...new Set([vault, real])];
}

/** What was typed, without the wish itself and with `settled` as the last, and so the deciding, options. */
function typedAgain(settled: readonly string[]): string[] {
  const typed = process.argv.slice(2);
  const dashes = typed.indexOf("--");
  const end = dashes === -1 ? typed.length : dashes;
  return [...typed.slice(0, end).filter((word) => word !== "--isolated"), ...settled, ...typed.slice(end)];
}
