// A vault's real path: links on the way to it are the user's own, and followed once.
import { realpath as askEachPart } from "node:fs";
import { realpath } from "node:fs/promises";
import { promisify } from "node:util";

/**
 * Rejects where there is nothing. Some drives on Windows (memory disks, mapped ones), and some long paths there, refuse
 * the native question and answer the slower one.
 */
export async function realFolder(path: string): Promise<string> {
  return realpath(path).catch(() => promisify(askEachPart)(path));
}
