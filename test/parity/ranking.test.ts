// Scores against the formula, computed again in a few lines, on a real vault: from the index file, from version 1, from
// the index in memory, and from a version-1 file made by hand after the contract's description.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { wikiCli } from "../helpers/cli.ts";
import { realVault } from "../helpers/vaults.ts";

interface Version1 {
  version: 1;
  documents: number;
  lengths: Record<string, number>;
  terms: Record<string, Record<string, number>>;
  titles: Record<string, string[]>;
}

/** The contract's section 6, without the gain of a title that is the query. */
function scores({ documents, lengths, terms }: Version1, query: string[]): Record<string, number> {
  const average = Object.values(lengths).reduce((sum, length) => sum + length, 0) / documents;
  const found: Record<string, number> = {};
  for (const token of query) {
    const pages = terms[token] ?? {};
    const df = Object.keys(pages).length;
    const idf = Math.log(1 + (documents - df + 0.5) / (df + 0.5));
    for (const [page, tf] of Object.entries(pages)) {
      const norm = tf + 1.5 * (1 - 0.75 + (0.75 * lengths[page]!) / average);
      found[page] = (found[page] ?? 0) + (idf * tf * 2.5) / norm;
    }
  }
  return found;
}

const QUERIES = ["template", "movies books", "daily note review", "obsidian vault obsidian", "people clippings places"];
const source = realVault("kepano");
const vault = mkdtempSync(join(tmpdir(), "pi-wiki-ranking-"));
const retrieval = join(vault, ".vault-meta/retrieval");
afterAll(() => rmSync(vault, { recursive: true }));

describe.skipIf(!source)("scores on a real vault", () => {
  const search = async (query: string) => {
    const { stdout } = await wikiCli(["search", query, "--vault", vault, "--limit", "100", "--json"]);
    return JSON.parse(stdout).payload;
  };
  const equalFormula = async (index: Version1, from: string) => {
    for (const query of QUERIES) {
      const payload = await search(query);
      expect(payload.source, payload.reason).toBe(from);
      const expected = scores(
        index,
        query.split(" ").filter((word) => index.terms[word]),
      );
      const ranked = payload.results.filter((result: { match: string }) => result.match === "bm25");
      const plain = ranked.filter(({ path }: { path: string }) => !sameTitle(index.titles[path], query));
      expect(plain.length, query).toBeGreaterThan(0);
      for (const { path, score } of plain) expect(score, `${query}: ${path}`).toBeCloseTo(expected[path]!, 9);
    }
  };

  test("are the formula's, from the index file, from version 1 and from memory", { timeout: 600_000 }, async () => {
    cpSync(source!, vault, { recursive: true, preserveTimestamps: true });
    const { status } = await wikiCli(["index", "--compat", "--vault", vault, "--json"]);
    expect(status).toBe(0);
    const version1 = JSON.parse(readFileSync(join(retrieval, "bm25.json"), "utf8")) as Version1;
    expect(version1.documents).toBe(Object.keys(version1.lengths).length);
    await equalFormula(version1, "index-file");
    for (const name of readdirSync(retrieval)) if (name !== "bm25.json") rmSync(join(retrieval, name));
    await equalFormula(version1, "index-file");
    rmSync(retrieval, { recursive: true });
    await equalFormula(version1, "live");
  });

  test("are the formula's from a version-1 file made by hand", { timeout: 600_000 }, async () => {
    const index: Version1 = { version: 1, documents: 0, lengths: {}, terms: {}, titles: {} };
    const pages = readdirSync(join(vault, "wiki"), { recursive: true, encoding: "utf8" }).filter(counts);
    for (const name of pages) {
      const page = `wiki/${name}`;
      const tokens =
        readFileSync(join(vault, page), "utf8")
          .toLowerCase()
          .match(/[\p{L}\p{N}_]+/gu) ?? [];
      index.documents++;
      index.lengths[page] = tokens.length;
      index.titles[page] = [];
      for (const token of tokens) {
        index.terms[token] ??= {};
        index.terms[token][page] = (index.terms[token][page] ?? 0) + 1;
      }
    }
    mkdirSync(retrieval, { recursive: true });
    writeFileSync(join(retrieval, "bm25.json"), JSON.stringify(index));
    await equalFormula(index, "index-file");
  });
});

function counts(name: string): boolean {
  return name.endsWith(".md") && !/(^|\/)(\.|(index|log|_plan)\.md$)/i.test(name);
}

function sameTitle(title: string[] | undefined, query: string): boolean {
  return title?.join(" ") === query;
}
