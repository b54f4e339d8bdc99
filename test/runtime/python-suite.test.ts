// Python's own suite, in both: natively and inside the sandbox's Python, with the same count of tests.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { NATIVE_PYTHON } from "../helpers/native.ts";
import { ask, laneOver, textOf } from "../helpers/runtime.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

interface Outcome {
  run: number;
  skipped: number;
  failures: string[];
}

const RUN_SUITE = `
import io, json, sys, unittest
def outcome(folder):
    suite = unittest.defaultTestLoader.discover(folder, top_level_dir=folder)
    result = unittest.TextTestRunner(stream=io.StringIO()).run(suite)
    bad = [f"{test.id()}: {text[-600:]}" for test, text in result.errors + result.failures]
    return json.dumps({"run": result.testsRun, "skipped": len(result.skipped), "failures": bad})
`;

test.skipIf(!NATIVE_PYTHON)(
  "the Python suite passes natively and in the sandbox, with the same count",
  { timeout: 600_000 },
  async () => {
    const natively = outcomeOf(
      execFileSync(NATIVE_PYTHON!, ["-c", `${RUN_SUITE}\nprint(outcome("test/py"))`], {
        cwd: root,
        encoding: "utf8",
        env: { ...process.env, PYTHONPATH: "py", PYTHONDONTWRITEBYTECODE: "1" },
        stdio: ["ignore", "pipe", "ignore"],
      }),
    );
    const inSandbox = await sandboxOutcome();
    expect(natively.failures).toEqual([]);
    expect(inSandbox.failures).toEqual([]);
    expect(natively.run).toBeGreaterThan(100);
    expect(inSandbox).toEqual(natively);
  },
);

function outcomeOf(text: string): Outcome {
  return JSON.parse(text) as Outcome;
}

/** The suite is carried in as the sources of one request: a sandbox has no other way in, and needs none. */
async function sandboxOutcome(): Promise<Outcome> {
  const files: Record<string, string> = {};
  for (const folder of ["test/py", "py/wiki", "fixtures/markdown", "fixtures"]) {
    for (const entry of readdirSync(`${root}${folder}`, { withFileTypes: true })) {
      if (!entry.isFile() || !/\.(py|txt|json)$/.test(entry.name)) continue;
      files[`${folder}/${entry.name}`] = readFileSync(`${root}${folder}/${entry.name}`, "utf8");
    }
  }
  const beforeSealing = `
import os, sys, json, sandbox, wiki.bridge
sandbox.close_doors = lambda: None # the suite imports its own modules, which a request cannot
sandbox.make_audit_hook = lambda: lambda event, args: None
${RUN_SUITE}
for name, text in json.loads(${JSON.stringify(JSON.stringify(files))}).items():
    path = "/tmp/app/" + name
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
wiki.bridge.serve = lambda: run_suite(wiki.devices.sent)
def run_suite(sent):
    # The snapshot holds no sources, and not what only runs natively: the suite imports the package anew.
    for name in [name for name in sys.modules if name == "wiki" or name.startswith("wiki.")]:
        del sys.modules[name]
    sys.path.insert(0, "/tmp/app/py")
    sent("/dev/wiki_res", outcome("/tmp/app/test/py").encode())
`;
  const lane = laneOver(null, { beforeSealing });
  try {
    return outcomeOf(textOf(await ask(lane, "", { needsListing: false })));
  } finally {
    await lane.close();
  }
}
