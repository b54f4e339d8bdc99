// The walk that makes the listing: what the wiki folder holds at one moment, byte for byte what `scan.py` makes
// natively (the format is described in `py/wiki/listing.py`). One bad entry never hides its neighbours.
import { type FileChunk, record, recordFiles } from "./walk-files.ts";
import { type Entry, type HeldFolder, holdFolder, listFolder } from "./walk-folder.ts";

export const WALK_LIMITS = {
  depth: 64, // parts of a folder's path; FOLDER_MAX_DEPTH in py/wiki/limits.py
  pathMaxBytes: 4_000, // PATH_MAX_BYTES in py/wiki/listing.py
  chunkFiles: 256, // files of one folder that are recorded in one piece
  batchFiles: 4_096, // files that are found before they are recorded, half of them by a helper
  batchFolders: 128, // folders that are held meanwhile
} as const satisfies Record<string, number>;

/** Records the files of some chunks, in order, wherever that is done. */
export type RecordChunks = (chunks: readonly FileChunk[]) => Promise<Uint8Array[]>;

const recordHere: RecordChunks = async (chunks) => chunks.map(recordFiles);

/** The listing of the folder `wiki` (vault-relative, `.` for the whole vault) in a vault named by its real path. */
export async function walk(root: string, wiki: string, recordChunks: RecordChunks = recordHere): Promise<Uint8Array> {
  const walking = new Walk(recordChunks);
  await walking.descend(root, wiki === "." ? [] : wiki.split("/"));
  return walking.finish();
}

class Walk {
  readonly #recordChunks: RecordChunks;
  readonly #pieces: Uint8Array[] = []; // the listing so far; the batch's files still have empty places in it
  #text = ""; // records that come after the last piece
  #batch: { folder: HeldFolder; chunk: FileChunk; place: number }[] = [];
  #batchFiles = 0;
  #left: HeldFolder[] = []; // listed to the end, held until the batch is recorded

  constructor(recordChunks: RecordChunks) {
    this.#recordChunks = recordChunks;
  }

  /** Goes down from the root to the wiki folder, one name at a time and through no link, and lists it. */
  async descend(root: string, parts: readonly string[]): Promise<void> {
    let [held, plain] = [root, root];
    for (const part of parts) {
      const folder = holdFolder(held, plain);
      if (typeof folder === "string") return this.#write(record(folder, parts.join("/")));
      this.#left.push(folder);
      held = folder.held + part;
      plain = folder.byPath + part;
    }
    await this.#enter(held, plain, parts.join("/"), parts.length);
  }

  async finish(): Promise<Uint8Array> {
    await this.#recordBatch();
    this.#endText();
    // Memory of its own: a small Buffer lies in Node's pool, which cannot be handed to another thread.
    const listing = new Uint8Array(this.#pieces.reduce((sum, piece) => sum + piece.length, 0));
    let at = 0;
    for (const piece of this.#pieces) {
      listing.set(piece, at);
      at += piece.length;
    }
    return listing;
  }

  async #enter(held: string, plain: string, path: string, depth: number): Promise<void> {
    const folder = holdFolder(held, plain);
    if (typeof folder === "string") return this.#write(record(folder, path));
    const entries = listFolder(folder);
    if (typeof entries === "string") this.#write(record(entries, path));
    else await this.#list(folder, entries, path === "" ? "" : `${path}/`, depth);
    this.#left.push(folder);
    if (this.#batchFiles >= WALK_LIMITS.batchFiles || this.#left.length >= WALK_LIMITS.batchFolders) {
      await this.#recordBatch();
    }
  }

  async #list(folder: HeldFolder, entries: readonly Entry[], prefix: string, depth: number): Promise<void> {
    const room = WALK_LIMITS.pathMaxBytes - Buffer.byteLength(prefix);
    const fits = (name: string) => name.length * 3 <= room || Buffer.byteLength(name) <= room;
    let names: string[] = [];
    for (const entry of entries) {
      if (typeof entry === "string" && fits(entry)) {
        if (names.push(entry) < WALK_LIMITS.chunkFiles) continue;
        this.#add(folder, prefix, names);
        names = [];
        continue;
      }
      if (names.length > 0) this.#add(folder, prefix, names);
      names = [];
      const { kind, name } = typeof entry === "string" ? { kind: "t" as const, name: entry } : entry;
      if (kind === "folder" && fits(name) && depth < WALK_LIMITS.depth) {
        await this.#enter(folder.held + name, folder.byPath + name, prefix + name, depth + 1);
      } else {
        const seen = kind === "n" || kind === "h" || (kind !== "folder" && fits(name));
        this.#write(record(seen ? kind : "t", prefix + name));
      }
    }
    if (names.length > 0) this.#add(folder, prefix, names);
  }

  #write(text: string): void {
    this.#text += text;
  }

  #endText(): void {
    if (this.#text !== "") this.#pieces.push(Buffer.from(this.#text, "utf8"));
    this.#text = "";
  }

  #add(folder: HeldFolder, path: string, names: readonly string[]): void {
    this.#endText();
    this.#batch.push({ folder, chunk: { at: folder.byPath, path, names }, place: this.#pieces.push(NOTHING) - 1 });
    this.#batchFiles += names.length;
  }

  /**
   * Asks for files by their whole paths, which costs the system a quarter less than by a held folder's descriptor. Where
   * another folder stands on the path afterwards, its files were asked about: then once more, of the folder that is held.
   */
  async #recordBatch(): Promise<void> {
    const records = await this.#recordChunks(this.#batch.map(({ chunk }) => chunk));
    const unmoved = new Map<HeldFolder, boolean>();
    for (const [i, { folder, chunk, place }] of this.#batch.entries()) {
      if (!unmoved.has(folder)) unmoved.set(folder, folder.isUnmoved());
      this.#pieces[place] = unmoved.get(folder) ? records[i]! : recordFiles({ ...chunk, at: folder.held });
    }
    for (const folder of this.#left) folder.close();
    this.#batch = [];
    this.#batchFiles = 0;
    this.#left = [];
  }
}

const NOTHING = new Uint8Array(0);
