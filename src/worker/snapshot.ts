// Build time: starts Python in a realm with fixed time and chance, preloads the package's modules, and gives back the
// memory as the snapshot that every sandbox starts from. No vault is mounted and no configuration is read here.
import { packSnapshot } from "../assets/snapshot-file.ts";
import { createRealm, type RealmParts } from "./realm-host.ts";

const PRELOAD = 'import sys; sys.path.insert(0, "/app"); import sandbox';

let said = "";
const around = {
  output: (_stream: number, bytes: Uint8Array) => {
    said += Buffer.from(bytes).toString("utf8");
  },
  files: () => -63, // EPERM
  ask: () => null,
  tell: () => false,
};

export async function makeSnapshot(parts: RealmParts): Promise<Uint8Array> {
  const { realm } = await createRealm({ ...parts, snapshot: null }, around, { forSnapshot: true, withVault: false });
  if (realm.run(PRELOAD) !== 0) throw new Error(`Python's modules do not load: ${said}`);
  return packSnapshot(Uint8Array.from(realm.makeSnapshot()));
}

/** V8's code cache of the realm's scripts for this engine, taken when a start has shown which functions it uses. */
export async function makeCodeCache(parts: RealmParts): Promise<Uint8Array> {
  const { codeCache } = await createRealm(parts, around, { withVault: false });
  return Buffer.concat(
    codeCache().flatMap((cache) => {
      const length = Buffer.alloc(4);
      length.writeUInt32LE(cache.length);
      return [length, cache];
    }),
  );
}
