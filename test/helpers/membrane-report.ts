// Runs the program that attacks the realm (membrane.ts) on some Node, and says what in its report is not as it should be.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { bundleProgram } from "../../scripts/bundle-program.mjs";
import { projectRoot } from "./garden.ts";
import type { Report } from "./membrane.ts";

export function membraneProgram(): Promise<string> {
  return bundleProgram("test/helpers/membrane.ts");
}

export async function membraneReport(node: string, program: string, vault: string): Promise<Report> {
  const { stdout } = await promisify(execFile)(node, [program, projectRoot, vault]);
  return JSON.parse(stdout) as Report;
}

/** It needs new text in the realm, and there is none: so it counts only where Node itself lets it be tried. */
const IMPORT_ATTACK = "import() in the text of a script";

/** One sentence for each thing that got out, or that was not tried as it should have been. */
export function breaches({ controls, walk, attacks, late, importing, importLeaks }: Report): string[] {
  const noticed = Object.entries(controls).filter(([, got]) => !got.includes("OUT"));
  const out = Object.entries(attacks).filter(([name, got]) => got !== "" && !(importLeaks && name === IMPORT_ATTACK));
  return [
    ...noticed.map(([leak, got]) => `${leak}, leaked on purpose, is not noticed: ${got}`),
    ...out.map(([name, got]) => `${name}: ${got}`),
    ...importing.map((script) => `import() stands in the text of ${script}`),
    ...walk.found.map((found) => `reached by walking: ${found}`),
    ...(walk.whole && walk.count > 10_000 ? [] : [`the walk saw ${walk.count} objects, whole: ${walk.whole}`]),
    ...(Object.keys(controls).length > 0 ? [] : ["nothing was leaked on purpose"]),
    ...(Object.keys(attacks).length >= 25 ? [] : [`only ${Object.keys(attacks).length} attacks were made`]),
    ...(/^(ended)?$/.test(late) ? [] : [`later: ${late}`]),
  ];
}
