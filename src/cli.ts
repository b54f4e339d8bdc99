// The command line: `pi-wiki search|outline|read|doctor|index`.
import process from "node:process";
import { perform } from "./cli/perform.ts";
import { EXIT, runProgram } from "./cli/program.ts";

try {
  process.exitCode = await runProgram(process.argv.slice(2), perform);
} catch (error) {
  process.stderr.write(`pi-wiki: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = EXIT.failed;
}
