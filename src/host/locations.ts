// Host paths as text, by POSIX or Windows rules wherever the program runs: absolute, normal, or refused. No file is
// looked at. The same rules as `py/wiki/locations.py`; Node's own `path` would ask the process for its working
// directory and its drives, which are not the caller's.

/** Where a caller stands: what relative paths and `~` are taken from. */
export interface Place {
  windows: boolean;
  cwd: string;
  home: string;
}

const SHARE = /^\\\\[^\\]+\\+[^\\]+/; // \\server\share, and \\?\C: and \\.\C: as "shares" of their own
const DRIVE = /^[A-Za-z]:/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: no folder that a person means is called so
const UNTYPABLE = /[\x00-\x1f\x7f]/;

export function isAbsolute(path: string, windows: boolean): boolean {
  const { root } = split(path, windows);
  return root !== "" && root !== "\\" && !isDriveRelative(path, windows);
}

/**
 * A path from a place, `~` expanded, in its one normal form: no trailing slash, no `.` and `..`. What no folder can be
 * called gives `{ problem }`, the end of a sentence.
 */
export function absolute(path: string, place: Place): string | { problem: string } {
  if (UNTYPABLE.test(path)) return { problem: "holds a control character" };
  const whole = expanded(path, place);
  if (isDriveRelative(whole, place.windows)) {
    return { problem: `has a drive but no root: write ${whole.slice(0, 2)}\\${whole.slice(2)}` };
  }
  const { root, parts } = split(whole, place.windows);
  if (root !== "" && root !== "\\") return joined(root, parts, place.windows);
  const base = split(place.cwd, place.windows);
  return joined(base.root, root === "" ? [...base.parts, ...parts] : parts, place.windows);
}

/** `~` and `~/…` from the home folder. `~name` is a name like any other: other people's homes are not guessed. */
export function expanded(path: string, { home, windows }: Place): string {
  const isHome = path === "~" || path.startsWith("~/") || (windows && path.startsWith("~\\"));
  return isHome ? home + path.slice(1) : path;
}

/** Whether a normal path is a whole disk or the home folder: as a wiki, that would be everything there is. */
export function isTooWide(path: string, place: Place): boolean {
  const { root, parts } = split(path, place.windows);
  if (parts.length === 0 && !root.startsWith("\\\\")) return true;
  const home = place.home === "" ? "" : absolute(place.home, place);
  if (typeof home !== "string") return false;
  return place.windows ? path.toLowerCase() === home.toLowerCase() : path === home;
}

/**
 * A page's name with the slashes that pages are named with: people on Windows type their own. Elsewhere a backslash is
 * a character of a name like any other.
 */
export function pageName(typed: unknown, windows: boolean): unknown {
  return windows && typeof typed === "string" ? typed.replaceAll("\\", "/") : typed;
}

/** A sentence on why a folder may be missing, where its spelling comes from a shell; or nothing. */
export function missingHint(path: string): string {
  if (/\\[ ()'&]/.test(path)) {
    return "A backslash before a space is how a shell writes it; here write the space alone.";
  }
  if (/\$\w|\$\{|%\w+%|~/.test(path)) {
    return "Only a shell fills in names like $HOME; here write the whole path.";
  }
  return /["']$/.test(path) ? "Leave out the quotation marks." : "";
}

/** Root (`/`, `C:\`, `\\server\share`, `\` where the drive is missing, or nothing) and parts. */
function split(path: string, windows: boolean): { root: string; parts: string[] } {
  if (!windows) return { root: path.startsWith("/") ? "/" : "", parts: partsOf(path, "/") };
  const text = path.replaceAll("/", "\\");
  const share = SHARE.exec(text)?.[0];
  if (share !== undefined) {
    return {
      root: `\\\\${share.split("\\").filter(Boolean).join("\\")}`,
      parts: partsOf(text.slice(share.length), "\\"),
    };
  }
  if (DRIVE.test(text)) return { root: `${text[0]!.toUpperCase()}:\\`, parts: partsOf(text.slice(2), "\\") };
  return { root: text.startsWith("\\") ? "\\" : "", parts: partsOf(text, "\\") };
}

function joined(root: string, parts: readonly string[], windows: boolean): string {
  const kept: string[] = [];
  for (const part of parts) {
    if (part === "..") kept.pop();
    else kept.push(part);
  }
  const separator = windows ? "\\" : "/";
  if (kept.length === 0) return root;
  return root + (root.endsWith(separator) ? "" : separator) + kept.join(separator);
}

function partsOf(path: string, separator: string): string[] {
  return path.split(separator).filter((part) => part !== "" && part !== ".");
}

function isDriveRelative(path: string, windows: boolean): boolean {
  return windows && DRIVE.test(path) && path[2] !== "/" && path[2] !== "\\";
}
