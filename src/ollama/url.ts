// Which addresses the one outgoing request may go to: plain http to this machine's loopback, spelled plainly. Pure on
// purpose: no socket, no environment, so that every rule is a row in a test table.
//
// A server on loopback is the user's own; anything else would send wiki text off the machine. Spellings that only a
// lenient parser takes for loopback (`0x7f.1`, full-width digits, percent-encoded letters) are refused, harmless or
// not: two programs that read them differently are how such checks are got around.
import { isIPv4 } from "node:net";

/** Where to connect, worked out from a URL without asking any resolver. */
export interface LoopbackAddress {
  /** As written, in lower case: what goes into the Host header. */
  host: string;
  port: number;
  /** The base path without a slash at its end; empty for none. */
  path: string;
  /** Literal addresses to try in order; `localhost` is never looked up, since a resolver may answer anything. */
  ips: readonly string[];
}

export type UrlVerdict = { ok: true; address: LoopbackAddress } | { ok: false; reason: string; suggestion?: string };

const URL_MAX_CHARS = 256;
const DEFAULT_OLLAMA_PORT = 11434;

const OCTET = String.raw`(?:0|[1-9]\d{0,2})`;
const PLAIN = new RegExp(
  String.raw`^http://(localhost|127\.${OCTET}\.${OCTET}\.${OCTET}|\[::1\])(?::([1-9]\d{0,4}))?(/[A-Za-z0-9._~/-]*)?$`,
  "i",
);

/** The verdict on a base URL, with a reason that completes "the address …" and, for near misses, the likely meaning. */
export function checkOllamaUrl(raw: unknown): UrlVerdict {
  const address = readPlain(raw);
  if (address) return { ok: true, address };
  const suggestion = suggest(raw);
  return { ok: false, reason: reasonFor(raw), ...(suggestion === undefined ? {} : { suggestion }) };
}

function readPlain(raw: unknown): LoopbackAddress | null {
  if (typeof raw !== "string" || raw.length > URL_MAX_CHARS) return null;
  const match = PLAIN.exec(raw);
  if (!match) return null;
  const host = match[1]!.toLowerCase();
  const port = match[2] === undefined ? 80 : Number(match[2]);
  const path = match[3] ?? "";
  if (port > 65_535) return null;
  if (host.startsWith("127.") && !isIPv4(host)) return null;
  if (/\/\/|\/\.{1,2}(\/|$)/.test(path)) return null;
  if (!agrees(raw, host, port, path)) return null;
  const ips = host === "localhost" ? ["127.0.0.1", "::1"] : [host === "[::1]" ? "::1" : host];
  return { host, port, path: path.replace(/\/$/, ""), ips };
}

/** A second reader, the platform's own, must find the same parts. */
function agrees(raw: string, host: string, port: number, path: string): boolean {
  if (!URL.canParse(raw)) return false;
  const url = new URL(raw);
  const bare = url.username === "" && url.password === "" && url.search === "" && url.hash === "";
  return (
    bare &&
    url.protocol === "http:" &&
    url.hostname === host &&
    Number(url.port || 80) === port &&
    url.pathname === (path || "/")
  );
}

function reasonFor(raw: unknown): string {
  if (typeof raw !== "string") return "is not a text";
  if (raw.length > URL_MAX_CHARS) return `is longer than ${URL_MAX_CHARS} characters`;
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(raw)) return "is not a URL that begins with http://";
  if (!/^http:/i.test(raw)) return "does not use plain http";
  if (raw.includes("@")) return "holds a user name or a password";
  if (/[?#]/.test(raw)) return "holds a query or a fragment";
  if (/^http:\/\/(0\.0\.0\.0|\[::\])/i.test(raw)) return "names where a server listens, not where it is reached";
  return "is not plainly localhost, 127.x.y.z or [::1] with an ordinary port and path";
}

const NEAR_MISS =
  /^\s*(?:https?:\/\/)?(0\.0\.0\.0|\[::\]|localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\]|)(?::(\d{1,5}))?\/*\s*$/i;

/** What somebody who wrote `0.0.0.0:11434` or `localhost:11434` (as OLLAMA_HOST allows) most likely meant. */
function suggest(raw: unknown): string | undefined {
  const match = typeof raw === "string" && raw.length <= URL_MAX_CHARS ? NEAR_MISS.exec(raw) : null;
  if (!match) return undefined;
  const written = match[1]!.toLowerCase();
  const host = ["", "0.0.0.0", "[::]"].includes(written) ? "127.0.0.1" : written;
  const meant = `http://${host}:${match[2] ?? DEFAULT_OLLAMA_PORT}`;
  return readPlain(meant) ? meant : undefined;
}
