// The configuration's `synonyms`: `{"word": ["other", …]}` or a list of groups. Cut down to what a request may carry; a slip
// in a list of words is no reason not to search, so whatever is neither a group nor a word is left out.
const GROUPS_MAX = 2_000;
const WORDS_MAX = 20; // of a group
const WORD_MAX_CHARS = 100;
const ALL_MAX_CHARS = 100_000; // a request has room for little more

/** The groups of words in the value of `synonyms`, each of two words at least. */
export function synonymGroups(value: unknown): string[][] {
  const groups = Array.isArray(value) ? value : entriesOf(value).map(([word, others]) => [word, ...listed(others)]);
  const found: string[][] = [];
  let characters = 0;
  for (const group of groups.slice(0, GROUPS_MAX)) {
    const words = listed(group).slice(0, WORDS_MAX + 1);
    characters += words.join("").length;
    if (characters > ALL_MAX_CHARS) break;
    if (words.length > 1) found.push(words);
  }
  return found;
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

function listed(value: unknown): string[] {
  const items = Array.isArray(value) ? value : [value];
  return items.filter((item) => typeof item === "string" && item.length <= WORD_MAX_CHARS);
}
