// The built package in a folder of its own, where a test may damage it.
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { projectRoot, type TempFolder, tempFolder } from "./garden.ts";

export interface PackageCopy extends TempFolder {
  url: URL;
  library(): Promise<typeof import("../../src/index.ts")>;
}

export function packageCopy(): PackageCopy {
  const folder = tempFolder("package-");
  for (const part of ["dist", "py", "wasm-assets", "package.json"]) {
    cpSync(join(projectRoot, part), join(folder.path, part), { recursive: true });
  }
  return {
    ...folder,
    url: pathToFileURL(`${folder.path}/`),
    library: () => import(pathToFileURL(join(folder.path, "dist/index.js")).href),
  };
}

/** Changes a file while `look` looks at it, and puts it back. */
export async function damaged<Result>(
  file: string,
  change: (bytes: Buffer) => Uint8Array,
  look: () => Promise<Result> | Result,
): Promise<Result> {
  const whole = readFileSync(file);
  writeFileSync(file, change(Buffer.from(whole)));
  try {
    return await look();
  } finally {
    writeFileSync(file, whole);
  }
}

export function flipped(bytes: Buffer, at: number): Buffer {
  bytes[at] = bytes[at]! ^ 1;
  return bytes;
}
