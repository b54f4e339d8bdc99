// Which vault a command is about, where the command line itself must know it.
import { homedir } from "node:os";
import process from "node:process";
import { type Selection, selectVault } from "../host/select.ts";
import type { Operation } from "../shared/envelope.ts";
import type { Settings } from "./program.ts";

export function selected(operation: Operation, { vault, config, wikiPath }: Settings): Promise<Selection> {
  const surroundings = { env: process.env, cwd: process.cwd(), home: homedir(), platform: process.platform };
  return selectVault({ ...surroundings, vault, config, wikiPath, operation, input: undefined });
}
