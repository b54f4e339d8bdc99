// The command that goes on from an answer, ready to be copied: nobody types a hash of 64 digits.
import { DEFAULT_WIKI } from "../host/select.ts";
import type { Payload, Success } from "../shared/envelope.ts";

/** `wiki` is the folder of the pages: reading looks at no configuration, so it must be told of another than the usual. */
export function nextCommand({ operation, payload }: Success, wiki: string): string[] {
  const next = following(operation, payload);
  if (next === null) return [];
  const { page, options } = next;
  const folder = wiki === DEFAULT_WIKI ? [] : ["--wiki-path", wiki];
  const settled = [...options, "--vault", String(payload.vault), ...folder];
  const words = ["pi-wiki", "read", ...(page.startsWith("-") ? [...settled, "--", page] : [page, ...settled])];
  return [`Next: ${words.map(quoted).join(" ")}`];
}

interface Reference {
  read: { page: string; expectedHash: string; start: number; end: number };
}

interface Next {
  page: string;
  options: string[];
}

function following(operation: string, payload: Payload): Next | null {
  if (operation === "search") {
    // Where pages were read along, what follows them; else the best result.
    const [best] = [...((payload.nextReads ?? []) as Reference[]), ...(payload.results as Reference[])];
    if (best === undefined) return null;
    const { page, expectedHash, start, end } = best.read;
    return { page, options: ["--hash", expectedHash, "--start", `${start}`, "--end", `${end}`] };
  }
  const { page, expectedHash } = payload as { page: string; expectedHash: string };
  if (operation === "outline") {
    const sections = payload.sections as { section: string; level: number }[];
    const first = sections.find(({ level }) => level > 1) ?? sections[0];
    return first ? { page, options: ["--hash", expectedHash, "--section", first.section] } : null;
  }
  if (operation === "read" && payload.truncated)
    return { page, options: ["--hash", expectedHash, "--cursor", String(payload.cursor)] };
  return null;
}

/** As a POSIX shell takes it: quoted where the shell would read more than the word. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
