// Chance for tests of properties: new in each run, printed, and repeated by PI_WIKI_SEED.
import type { Parameters } from "fast-check";

const given = Number(process.env.PI_WIKI_SEED);
const SEED = Number.isSafeInteger(given) && given > 0 ? given : 1 + Math.floor(Math.random() * 2 ** 31);

/** How often a property is tried; a failure shows the smallest case that was found. */
export function times<Case>(numRuns: number): Parameters<Case> {
  console.log(`${numRuns.toLocaleString("en")} cases; PI_WIKI_SEED=${SEED} repeats them`);
  return { numRuns, seed: SEED };
}
