// The one command that writes: the sandbox proposes the bytes of the index files, and they are put into the vault here
// when all of them are whole.
import { realpath } from "node:fs/promises";
import type { CallOptions, Wiki } from "../index.ts";
import { frameReader } from "../publish/frames.ts";
import { beginPublication, type Publication } from "../publish/publish.ts";
import { type Envelope, failureFrom, type Payload, type Success } from "../shared/envelope.ts";
import { WikiError } from "../shared/errors.ts";

export interface IndexFile {
  name: string;
  bytes: number;
}

/** The answer of the sandbox with `published`, the vault-relative paths of what was written. `vault` is absolute. */
export async function writeIndex(wiki: Wiki, vault: string, args: Payload, options: CallOptions): Promise<Envelope> {
  const root = await realpath(vault).catch(() => null);
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
