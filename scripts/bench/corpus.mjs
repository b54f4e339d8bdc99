// A made-up vault of any size, the same for the same seed: pages of about 3 KB whose words follow Zipf's law, in a
// hundred folders, with headings and some frontmatter. Used by the bench, and alone:
//
//   node scripts/bench/corpus.mjs <folder> <pages> [seed]
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";

const FOLDERS = 100;
const WORDS_A_PAGE = [380, 560];
const VOCABULARY = 120_000;
const EXPONENT = 1.05; // how much rarer the next word is; English prose has about 1
const ONSETS = ["b", "br", "c", "ch", "d", "dr", "f", "fl", "g", "gr", "h", "j", "k", "l", "m", "n", "p", "pl", "r"];
const MORE_ONSETS = ["s", "sh", "st", "t", "th", "tr", "v", "w", "z"];
const VOWELS = ["a", "e", "i", "o", "u", "ea", "ai"];
const CODAS = ["", "", "", "n", "r", "s", "t", "l", "nd", "ck"];
const TAGS = ["draft", "evergreen", "meeting", "person", "project", "reference", "idea", "archive"];
const TYPES = ["note", "topic", "daily", "source"];
const FIRST_DAY = Date.UTC(2024, 0, 1) / 1000; // pages get fixed times, so that two vaults of one seed are equal

/** Numbers in [0, 1) from a seed (mulberry32). */
export function chanceOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The words of every made-up vault, the commonest first. */
export function makeVocabulary() {
  const chance = chanceOf(20_260_517);
  const pick = (list) => list[Math.floor(chance() * list.length)];
  const onsets = [...ONSETS, ...MORE_ONSETS];
  const words = new Set();
  while (words.size < VOCABULARY) {
    const syllables = words.size < 250 ? 1 : words.size < 8_000 ? 2 : 2 + Math.floor(chance() * 2);
    let word = "";
    for (let at = 0; at < syllables; at++) word += pick(onsets) + pick(VOWELS) + pick(CODAS);
    words.add(word);
  }
  return [...words];
}

/** Writes `pages` pages under `folder`/wiki. */
export function writeCorpus(folder, pages, seed = 1) {
  const chance = chanceOf(seed);
  const vocabulary = makeVocabulary();
  const ranks = cumulativeRanks();
  const word = () => vocabulary[rankAt(ranks, chance())];
  const topic = () => vocabulary[200 + Math.floor(chance() * (VOCABULARY - 200))];
  for (let at = 0; at < Math.min(FOLDERS, pages); at++) {
    mkdirSync(join(folder, "wiki", folderName(vocabulary, at)), { recursive: true });
  }
  for (let at = 0; at < pages; at++) {
    const title = `${topic()} ${topic()}`;
    const file = join(folder, "wiki", folderName(vocabulary, at % FOLDERS), `${title.replace(" ", "-")}-${at}.md`);
    writeFileSync(file, makePage(chance, title, word));
    utimesSync(file, FIRST_DAY + at, FIRST_DAY + at);
  }
}

/**
 * Seeded queries of 1, 2 and 4 words in turn. Words are drawn evenly over the logarithm of their rank, so that
 * common, middling and rare ones all occur.
 */
export function makeQueries(count, seed = 1) {
  const chance = chanceOf(seed + 1_000_003);
  const vocabulary = makeVocabulary();
  const [commonest, rarest] = [5, 20_000];
  const word = () => vocabulary[Math.floor(commonest * (rarest / commonest) ** chance())];
  return Array.from({ length: count }, (_, at) => Array.from({ length: [1, 2, 4][at % 3] }, word).join(" "));
}

function makePage(chance, title, word) {
  const lines = [];
  if (chance() < 0.6) {
    const tag = TAGS[Math.floor(chance() * TAGS.length)];
    const type = TYPES[Math.floor(chance() * TYPES.length)];
    lines.push("---", `title: ${title}`, `type: ${type}`, `tags: [${tag}]`, "---", "");
  }
  lines.push(`# ${title}`, "");
  let left = WORDS_A_PAGE[0] + Math.floor(chance() * (WORDS_A_PAGE[1] - WORDS_A_PAGE[0]));
  while (left > 0) {
    if (chance() < 0.3) lines.push(`## ${word()} ${word()}`, "");
    const length = Math.min(left, 30 + Math.floor(chance() * 60));
    lines.push(makeParagraph(chance, length, word), "");
    left -= length;
  }
  return lines.join("\n");
}

function makeParagraph(chance, length, word) {
  let text = "";
  let start = true;
  for (let at = 0; at < length; at++) {
    const next = word();
    text += start ? next[0].toUpperCase() + next.slice(1) : next;
    start = chance() < 0.08;
    text += at === length - 1 ? "." : start ? ". " : " ";
  }
  return text;
}

function folderName(vocabulary, at) {
  return `${vocabulary[300 + at]}-${at}`;
}

function cumulativeRanks() {
  const sums = new Float64Array(VOCABULARY);
  let sum = 0;
  for (let rank = 0; rank < VOCABULARY; rank++) {
    sum += 1 / (rank + 2.7) ** EXPONENT; // Mandelbrot's shift: the commonest words are less apart
    sums[rank] = sum;
  }
  return sums.map((one) => one / sum);
}

function rankAt(ranks, at) {
  let low = 0;
  let high = ranks.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ranks[middle] < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [folder, pages, seed] = process.argv.slice(2);
  if (!folder || !/^\d+$/.test(pages ?? "") || !/^\d*$/.test(seed ?? "")) {
    process.stderr.write("usage: node scripts/bench/corpus.mjs <folder> <pages> [seed]\n");
    process.exitCode = 2;
  } else {
    writeCorpus(folder, Number(pages), Number(seed || 1));
  }
}
