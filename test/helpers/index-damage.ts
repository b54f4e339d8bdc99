// A small vault with every index file, and what can happen to a file on a disk.
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { CLI } from "./cli.ts";
import { type TempFolder, tempFolder } from "./garden.ts";

export const INDEX_FILES = ["index.bin", "bm25.json", "vectors.bin", "chunks.json"] as const;
export type IndexFile = (typeof INDEX_FILES)[number];

const PAGES: Record<string, string> = {
  "coffee.md":
    "---\ntitle: Coffee\ntags: [drink]\naliases: [espresso]\n---\n# Coffee\n\nArabica beans grow high. A roast is light or dark.\n",
  "tea.md": "# Tea\n\nLeaves grow high, too; water of 80 degrees.\n\n## Green\n\nSteamed leaves.\n",
  "diary/2026-05.md": "# Diary\n\n## 2026-05-13 Late frost\n\nMinus 2.5 degrees, the beans are gone.\n",
  "soil/compost.md": "# Compost\n\nLeaves, beans and straw. A roast of nothing.\n",
  "番茄.md": "# 番茄笔记\n\n番茄 防病 的 方法。\n",
  "long.md": `# Long\n\n${"Water runs over the wheel of the mill. ".repeat(60)}\n\n## Beans\n\nNone here.\n`,
};

export interface IndexedVault extends TempFolder {
  retrieval: string;
  files: Record<IndexFile, Buffer>;
  pages: string[];
}

/** Indexed by the command line, with embeddings from the stand-in at `ollama`. */
export async function indexedVault(ollama: string): Promise<IndexedVault> {
  const folder = tempFolder("indexed-");
  for (const [name, text] of Object.entries(PAGES)) {
    const file = join(folder.path, "wiki", name);
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, text);
  }
  const given = [CLI, "index", "--compat", "--semantic", "--json", "--vault", folder.path];
  await promisify(execFile)(process.execPath, given, { env: { ...process.env, PI_WIKI_OLLAMA_URL: ollama } });
  const retrieval = join(folder.path, ".vault-meta/retrieval");
  const read = (name: string) => [name, readFileSync(join(retrieval, name))] as const;
  const files = Object.fromEntries(INDEX_FILES.map(read)) as Record<IndexFile, Buffer>;
  return { ...folder, retrieval, files, pages: Object.keys(PAGES).map((name) => `wiki/${name}`) };
}

const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

type Change = (whole: Buffer) => Buffer;

/** Bits that turned, a cut, a tail, a hole of zeros, lost or doubled bytes, another file in its place. */
export function damage(files: Record<IndexFile, Buffer>): fc.Arbitrary<Change> {
  const at = (whole: Buffer, part: number) => Math.floor(part * whole.length);
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .array(fc.tuple(share, fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 4 })
        .map(turned),
    },
    share.map(
      (part): Change =>
        (whole) =>
          whole.subarray(0, at(whole, part)),
    ),
    fc.uint8Array({ minLength: 1, maxLength: 20 }).map(
      (tail): Change =>
        (whole) =>
          Buffer.concat([whole, tail]),
    ),
    fc.tuple(share, fc.integer({ min: 1, max: 5_000 })).map(
      ([part, size]): Change =>
        (whole) => {
          const from = at(whole, part);
          return Buffer.from(whole).fill(0, from, Math.min(from + size, whole.length));
        },
    ),
    fc.tuple(share, fc.nat(40), fc.uint8Array({ maxLength: 40 })).map(
      ([part, lost, put]): Change =>
        (whole) => {
          const from = at(whole, part);
          return Buffer.concat([whole.subarray(0, from), put, whole.subarray(from + lost)]);
        },
    ),
    fc.constantFrom(...INDEX_FILES).map(
      (other): Change =>
        () =>
          files[other],
    ),
    fc.uint8Array({ maxLength: 200 }).map(
      (bytes): Change =>
        () =>
          Buffer.from(bytes),
    ),
  );
}

function turned(bits: [number, number][]): Change {
  return (whole) => {
    const bytes = Buffer.from(whole);
    for (const [part, mask] of bits) bytes[Math.floor(part * bytes.length)]! ^= mask;
    return bytes;
  };
}
