// Which Ollama and which model: from the user's own environment alone. Nothing in a vault is ever asked, and
// OLLAMA_HOST, which tells a server where to listen, is only ever quoted back in a hint.
import { filled } from "../shared/filled.ts";
import { checkOllamaUrl } from "./url.ts";

export const DEFAULT_OLLAMA_URL = "http://127.0.0.1:11434";
export const DEFAULT_OLLAMA_MODEL = "qwen3-embedding:4b";

export interface OllamaSettings {
  /** As the user gave it, checked only when something is asked: a wrong value must not break word search. */
  baseUrl: string;
  model: string;
  /** A sentence for the case that nothing answers there; empty when there is nothing to add. */
  hint: string;
}

export function ollamaSettings(env: Readonly<Record<string, string | undefined>>): OllamaSettings {
  const url = filled(env.PI_WIKI_OLLAMA_URL)?.trim();
  return {
    baseUrl: url ?? DEFAULT_OLLAMA_URL,
    model: filled(env.PI_WIKI_OLLAMA_MODEL)?.trim() ?? DEFAULT_OLLAMA_MODEL,
    hint: url === undefined ? hintFrom(filled(env.OLLAMA_HOST)?.trim()) : "",
  };
}

function hintFrom(listening: string | undefined): string {
  if (listening === undefined) return "";
  const verdict = checkOllamaUrl(listening);
  const meant = verdict.ok ? listening : verdict.suggestion;
  if (meant === undefined || meant === DEFAULT_OLLAMA_URL) return "";
  return `OLLAMA_HOST is set, but pi-wiki does not read it: did you mean PI_WIKI_OLLAMA_URL=${meant}?`;
}
