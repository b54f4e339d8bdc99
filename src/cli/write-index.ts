// The one command that writes: the sandbox proposes the bytes of the index files, and they are put into the vault here
// when all of them are whole.
import { realFolder } from "../host/real-folder.ts";
import type { CallOptions, Wiki } from "../index.ts";
import { frameReader } from "../publish/frames.ts";
import { beginPublication, type Publication } from "../publish/publish.ts";
import { type Envelope, failureFrom, type Payload, type Success } from "../shared/envelope.ts";
import { WikiError } from "../shared/errors.ts";

export interface IndexFile {
  name: string;
  bytes: number;
}

/** What the index command tells of embeddings; `embed_index.py` says more. */
export interface Meaning {
  pages: number;
  chunks: number;
  model: string | null;
  kept: number;
  embedded: number;
  pending: number;
  deferred: { page: string; reason: string }[];
  deferredCount: number;
  error: string | null;
}

/**
 * Writes the index, with embeddings in steps: each step is a whole index put in place, so that an interruption or the end
 * of the time, at `endsAt` on the clock of `performance.now()`, loses one step and no more.
 */
export async function writeIndex(
  wiki: Wiki,
  vault: string,
  args: Payload,
  options: CallOptions,
  endsAt: number,
): Promise<Envelope> {
  let embedded = 0;
  for (;;) {
    const answer = await writeStep(wiki, vault, args, options);
    const meaning = answer.ok ? (answer.payload.semantic as Meaning | undefined) : undefined;
    if (!meaning) return answer;
    const moved = meaning.embedded > 0;
    embedded += meaning.embedded;
    if (meaning.pending > 0 && moved && meaning.error === null && performance.now() < endsAt) continue;
    const semantic = { ...meaning, embedded, kept: meaning.pages - embedded };
    return { ...answer, payload: { ...answer.payload, semantic } } as Envelope;
  }
}

/** The answer of the sandbox with `published`, the vault-relative paths of what was written. `vault` is absolute. */
async function writeStep(wiki: Wiki, vault: string, args: Payload, options: CallOptions): Promise<Envelope> {
  const root = await realFolder(vault).catch(() => null);
  if (root === null) return wiki.call("index", args, options); // which says what is wrong with the vault
  const written = new Map<string, number>();
  let publication: Publication | undefined;
  let trouble: unknown;
  const stop = new AbortController();
  try {
    const take = frameReader((name, bytes) => {
      publication ??= beginPublication(root);
      publication.append(name, bytes);
      written.set(name, (written.get(name) ?? 0) + bytes.length);
    });
    const answer = await wiki.call("index", args, {
      ...options,
      signal: options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal,
      onFile(message) {
        if (trouble !== undefined) return;
        try {
          take(message);
        } catch (error) {
          trouble = error; // no use in building on what cannot be written
          stop.abort();
        }
      },
    });
    if (trouble !== undefined) throw trouble;
    if (!answer.ok) return answer;
    checkWhole(answer, written);
    const published = (await publication?.commit()) ?? [];
    return { ...answer, payload: { ...answer.payload, published: published.map(({ path }) => path) } };
  } catch (error) {
    return failureFrom("index", error);
  } finally {
    publication?.abort();
  }
}

/** What arrived against what the sandbox says that it made: a file with a hole in it must not be put in place. */
function checkWhole(answer: Success, written: ReadonlyMap<string, number>): void {
  for (const { name, bytes } of answer.payload.files as IndexFile[]) {
    if (written.get(name) === bytes) continue;
    throw new WikiError("sandbox-failed", `Not all of ${name} arrived. Nothing was written; try again.`);
  }
}
