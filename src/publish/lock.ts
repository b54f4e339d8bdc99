// One publication at a time in a vault: a file that is there while one runs. A run that was killed leaves it behind, so
// it names its process, and gives way when that is gone.
import fs from "node:fs";
import { hostname } from "node:os";
import { WikiError } from "../shared/errors.ts";
import { FOLDER, type Folder } from "./folder.ts";

const NAME = ".publishing";
const FORGOTTEN_MS = 60 * 60_000; // no index takes an hour; a lock of another computer may come by way of a sync service
const TEXT_MAX_BYTES = 500;

export interface Lock {
  release(): void;
}

/** Throws `invalid-input` while another run holds it. */
export function takeLock(folder: Folder): Lock {
  const mine = JSON.stringify({ process: process.pid, host: hostname(), begun: new Date().toISOString() });
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = fs.constants;
      const descriptor = fs.openSync(folder.at(NAME), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666);
      fs.writeSync(descriptor, mine);
      fs.closeSync(descriptor);
      return { release: () => removeIf(folder, (text) => text === mine) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const holder = readHolder(folder);
    if (!holder) continue;
    if (!holder.gone) throw busy(holder.who);
    removeIf(folder, (text) => text === holder.text);
  }
  throw busy("another process");
}

interface Holder {
  text: string;
  who: string;
  gone: boolean;
}

/** Null when the lock has gone meanwhile. Whatever is no lock of ours counts as held until it is old. */
function readHolder(folder: Folder): Holder | null {
  const found = folder.look(NAME);
  if (!found) return null;
  const old = Date.now() - found.mtimeMs > FORGOTTEN_MS;
  const text = found.isFile() && found.size <= TEXT_MAX_BYTES ? (readText(folder.at(NAME)) ?? "") : "";
  try {
    const { process: pid, host } = JSON.parse(text);
    const here = host === hostname();
    return { text, who: `process ${pid}${here ? "" : ` on ${host}`}`, gone: old || (here && !isAlive(pid)) };
  } catch {
    return { text, who: "another process", gone: old };
  }
}

function readText(at: string): string | null {
  try {
    return fs.readFileSync(at, { encoding: "utf8", flag: fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0) });
  } catch {
    return null;
  }
}

function isAlive(pid: unknown): boolean {
  if (!Number.isSafeInteger(pid) || (pid as number) <= 0) return false;
  try {
    process.kill(pid as number, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"; // it is there, and somebody else's
  }
}

/** Takes the lock away under another name first, so that of two runs that find it forgotten one gets it. */
function removeIf(folder: Folder, isIt: (text: string) => boolean): void {
  const aside = folder.at(`${NAME}.${process.pid}`);
  try {
    fs.renameSync(folder.at(NAME), aside);
  } catch {
    return;
  }
  if (isIt(readText(aside) ?? "")) fs.rmSync(aside, { force: true });
  else fs.renameSync(aside, folder.at(NAME)); // a new one had taken its place
}

function busy(who: string): WikiError {
  return new WikiError(
    "invalid-input",
    `Another index is being written into this vault (${who}). Wait for it to end; if it is not running, remove ` +
      `${FOLDER}/${NAME}.`,
  );
}
