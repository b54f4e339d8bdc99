// The command that goes on from an answer, ready to be copied: nobody types a hash of 64 digits.
import type { Payload, Success } from "../shared/envelope.ts";

export function nextCommand({ operation, payload }: Success): string[] {
  const next = following(operation, payload);
  if (next === null) return [];
  const words = ["pi-wiki", ...next, "--vault", String(payload.vault)];
  return [`Next: ${words.map(quoted).join(" ")}`];
}

function following(operation: string, payload: Payload): string[] | null {
  if (operation === "search") {
    const [best] = payload.results as { read: { page: string; expectedHash: string; start: number; end: number } }[];
    if (best === undefined) return null;
    const { page, expectedHash, start, end } = best.read;
    return ["read", page, "--hash", expectedHash, "--start", `${start}`, "--end", `${end}`];
  }
  const { page, expectedHash } = payload as { page: string; expectedHash: string };
  if (operation === "outline") {
    const sections = payload.sections as { section: string; level: number }[];
    const first = sections.find(({ level }) => level > 1) ?? sections[0];
    return first ? ["read", page, "--hash", expectedHash, "--section", first.section] : null;
  }
  if (operation === "read" && payload.truncated)
    return ["read", page, "--hash", expectedHash, "--cursor", String(payload.cursor)];
  return null;
}

/** As a POSIX shell takes it: quoted where the shell would read more than the word. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
