// What a user may set beside the vault: time, warming up, Ollama. From options and the environment alone; nothing in a
// vault changes any of it.
import { type OllamaSettings, ollamaSettings } from "../ollama/settings.ts";
import { WikiError } from "../shared/errors.ts";
import { filled } from "../shared/filled.ts";
import { LIMITS } from "../shared/limits.ts";

export interface Settings {
  /** The deadline of a call, in milliseconds. */
  timeoutMs: number;
  /** False when the user wants no sandbox before the first call. */
  warm: boolean;
  ollama: OllamaSettings;
}

/** Throws `invalid-input` for a time that is none. */
export function readSettings(around: {
  env: Readonly<Record<string, string | undefined>>;
  timeoutMs?: number | undefined;
}): Settings {
  const { env, timeoutMs } = around;
  return {
    timeoutMs: checkedTime(timeoutMs ?? timeFrom(filled(env.PI_WIKI_TIMEOUT_MS))),
    warm: !isOff(filled(env.PI_WIKI_WARM)),
    ollama: ollamaSettings(env),
  };
}

function timeFrom(text: string | undefined): number {
  if (text === undefined) return LIMITS.callDeadlineMs;
  if (!/^\s*\d+\s*$/.test(text)) {
    throw new WikiError("invalid-input", "PI_WIKI_TIMEOUT_MS must be a whole number of milliseconds.");
  }
  return Number(text);
}

function checkedTime(ms: number): number {
  if (Number.isFinite(ms) && ms >= LIMITS.callDeadlineMinMs && ms <= LIMITS.callDeadlineMaxMs) return Math.round(ms);
  const [least, most] = [LIMITS.callDeadlineMinMs / 1000, LIMITS.callDeadlineMaxMs / 1000];
  throw new WikiError("invalid-input", `The time for a call must be from ${least} to ${most} seconds.`);
}

function isOff(value: string | undefined): boolean {
  return value !== undefined && ["0", "false", "no", "off"].includes(value.trim().toLowerCase());
}
