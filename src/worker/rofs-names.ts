// Which names exist for the sandbox: pure rules, asked before any file is touched.
//
// Hidden entries (`.git`, `.trash`, plugin settings with their keys) do not exist, with two exceptions the package
// needs: `.vault-meta` at the root with its index files, and `.obsidian/app.json`, where users list excluded files.

/** Where a folder stands, as far as hidden names go. */
export type Place = "root" | "inner" | "settings";

const ROOT_EXCEPTIONS: ReadonlyMap<string, Place> = new Map([
  [".vault-meta", "inner"],
  [".obsidian", "settings"],
]);
const SETTINGS_FILE = "app.json";

/** True when an entry of this name is there for the sandbox, whatever it is. */
export function isVisible(place: Place, name: string): boolean {
  if (place === "settings") return name === SETTINGS_FILE;
  return name[0] !== "." || (place === "root" && ROOT_EXCEPTIONS.has(name));
}

/** The place that a folder of this name makes, or null where it may not be entered. */
export function placeBelow(place: Place, name: string): Place | null {
  if (place === "settings") return null; // a folder called app.json is not the settings
  if (name[0] !== ".") return "inner";
  return place === "root" ? (ROOT_EXCEPTIONS.get(name) ?? null) : null;
}

/** True when a regular file of this name may be opened: the two hidden exceptions at the root are folders only. */
export function mayOpen(place: Place, name: string): boolean {
  return place === "settings" ? name === SETTINGS_FILE : name[0] !== ".";
}

const NAME_MAX_UNITS = 255;
const NAME_MAX_LISTED_BYTES = 255; // Emscripten's getdents cuts longer names, which would make another name of them

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters Windows gives a meaning to
const WINDOWS_SPECIAL = /[\\:<>"|?*\x01-\x1f]|[. ]$/;

/** True for one part of a path that means itself: no separator, no stream, no dots that lead elsewhere. */
export function isPlainName(name: string, windows: boolean): boolean {
  if (name === "" || name === "." || name === ".." || name.length > NAME_MAX_UNITS) return false;
  if (name.includes("/") || name.includes("\0")) return false;
  if (windows && WINDOWS_SPECIAL.test(name)) return false;
  return name.isWellFormed();
}

/** True when the whole name fits into a directory entry as Python reads it. */
export function fitsListing(name: string): boolean {
  return name.length * 3 <= NAME_MAX_LISTED_BYTES || Buffer.byteLength(name) <= NAME_MAX_LISTED_BYTES;
}
