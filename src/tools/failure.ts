// A failure in words: the sentence, and what of its structure helps a person to the next try.
import type { Failure, Payload } from "../shared/envelope.ts";
import { facts, oneLine } from "./render.ts";

/** Most sections named below an ambiguous heading. */
const CHOICES_SHOWN = 20;

export function failureWords(failure: Failure): string {
  const choices = sectionsIn(failure.payload ?? {});
  const rows = choices
    .slice(0, CHOICES_SHOWN)
    .map((choice) => [`  ${choice.section}`, oneLine(choice.breadcrumb)] as const);
  const more = choices.length > CHOICES_SHOWN ? [`  … ${choices.length - CHOICES_SHOWN} more`] : [];
  const hash = failure.payload?.expectedHash;
  const now = failure.code === "hash-mismatch" && typeof hash === "string" ? [`  hash now: ${hash}`] : [];
  return [
    `${failure.code}: ${oneLine(failure.message)}`,
    ...now,
    ...(rows.length > 0 ? [facts(rows)] : []),
    ...more,
  ].join("\n");
}

interface Choice {
  section: string;
  breadcrumb: string;
}

function sectionsIn(payload: Payload): Choice[] {
  const listed: unknown = payload.sections;
  if (!Array.isArray(listed)) return [];
  return listed.filter((one): one is Choice => typeof one?.section === "string" && typeof one?.breadcrumb === "string");
}
