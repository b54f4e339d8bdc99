// The walker thread's program: makes the listing of one vault's wiki folder, as often as it is asked. It has a thread of
// its own because a walk over a file system that does not answer cannot be stopped: whoever asks must be able to leave.
import { parentPort, workerData } from "node:worker_threads";
import * as Comlink from "comlink";
import nodeEndpoint from "comlink/dist/esm/node-adapter.mjs";
import { walk } from "./walk.ts";
import { helpWalking, isHelperData, WalkHelper } from "./walk-helper.ts";

export interface WalkerData {
  /** The vault's real path. */
  root: string;
  /** The vault-relative folder of the pages; `.` for the whole vault. */
  wiki: string;
}

export interface WalkerApi {
  walk(): Promise<Uint8Array>;
}

if (isHelperData(workerData)) {
  helpWalking(parentPort!);
} else {
  const { root, wiki } = workerData as WalkerData;
  const helper = new WalkHelper(new URL(import.meta.url));
  const api: WalkerApi = {
    async walk() {
      const listing = await walk(root, wiki, (chunks) => helper.record(chunks));
      helper.mayStart = true;
      return Comlink.transfer(listing, [listing.buffer as ArrayBuffer]);
    },
  };
  Comlink.expose(api, nodeEndpoint(parentPort!));
}
