// Which paths Git's rules ignore, held against Git itself over many sets of rules.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cacheExclusions } from "../../src/host/git.ts";
import { gitFolder, HAS_GIT, put } from "../helpers/git.ts";
import { pick, seeded } from "../helpers/random.ts";

test.runIf(HAS_GIT)("in 150 sets of rules at random, every path is ignored where Git ignores it", async () => {
  const seed = 20_260_514;
  const random = seeded(seed);
  using folder = gitFolder();
  const place = folder.vaultIn("random", "a/b");
  const levels = ["", "a/", "a/b/", "a/b/.vault-meta/", "a/b/.vault-meta/retrieval/"];
  for (let round = 0; round < 150; round++) {
    for (const level of levels) {
      const file = join(place.repository, `${level}.gitignore`);
      if (random() < 0.5) rmSync(file, { force: true });
      else put(file, rules(random));
    }
    put(join(place.repository, ".git/info/exclude"), random() < 0.3 ? rules(random) : "");
    put(join(place.repository, ".git/config"), `[core]\nignorecase = ${random() < 0.3}\n`);
    const answer = await cacheExclusions(place.vault, { env: {}, home: folder.home });
    const paths = answer.paths.map(({ path }) => path);
    const expected = folder.ignored(place.vault, paths);
    expect(
      answer.paths.map(({ ignored }) => ignored),
      `seed ${seed}, round ${round}: ${paths}`,
    ).toEqual(expected);
  }
});

/** A few rules that have something to do with the paths that are asked about. */
function rules(random: () => number): string {
  const parts = [
    ".vault-meta",
    "retrieval",
    "lifecycle",
    "bm25.json",
    "state.json",
    "odd name.tmp",
    "a",
    "b",
    "*",
    "**",
  ];
  const globs = [".v*", "*.json", "re?rieval", "[a-m]*", "[!r]*", "**/retrieval", "retrieval/**", "a/**/state.json"];
  const odd = [
    "*.JSON",
    "\\*",
    "[[:alpha:]]*",
    "[]x]*",
    "odd\\ name.tmp",
    "*e*a*",
    "/",
    "",
    "#x",
    "\\#x",
    "[",
    "**",
    "***",
  ];
  const line = () => {
    const kind = random();
    let rule = pick(random, kind < 0.6 ? parts : kind < 0.85 ? globs : odd);
    if (kind < 0.6 && random() < 0.5) rule += `/${pick(random, parts)}`;
    if (kind < 0.6 && random() < 0.2) rule += `/${pick(random, parts)}`;
    if (random() < 0.2) rule = `/${rule}`;
    if (random() < 0.25) rule += "/";
    if (random() < 0.3) rule = `!${rule}`;
    if (random() < 0.05) rule += " ";
    return rule + (random() < 0.05 ? "\r" : "");
  };
  return `${Array.from({ length: 1 + Math.floor(random() * 4) }, line).join("\n")}\n`;
}
