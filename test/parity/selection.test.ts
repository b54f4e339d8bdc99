// What is wrong with a configuration is said in the same words natively and here, for every malformed case of the table.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readConfiguration } from "../../src/host/configuration.ts";
import { missingHint } from "../../src/host/locations.ts";
import { selectVault } from "../../src/host/select.ts";
import { projectRoot } from "../helpers/garden.ts";
import { NATIVE_PYTHON } from "../helpers/native.ts";

const PROGRAM = `
import json, sys
from wiki.config import read_configuration, select
from wiki.errors import WikiError
from wiki.locations import Place, missing_hint
asked = json.load(sys.stdin)
places = {name: Place(name, **place) for name, place in asked["places"].items()}
def selecting(case):
    place, options = places[case["platform"]], case.get("options", {})
    def read(path):
        if path in case.get("unreadable", []):
            raise PermissionError(13, "Permission denied")
        text = case.get("files", {}).get(path)
        return None if text is None else text.encode()
    try:
        select(place, case.get("environment", {}), read, vault=case.get("input"), config=options.get("config"), wiki=options.get("wiki"))
    except WikiError as error:
        return error.message
def configuration(text):
    return read_configuration("/c.json", lambda _: text.encode("utf-8", "surrogatepass"), places["posix"]).error
json.dump({
    "selections": [selecting(case) for case in asked["cases"]],
    "texts": [configuration(text) for text in asked["texts"]],
    "hints": [missing_hint(path) for path in asked["paths"]],
}, sys.stdout)
`;

const TEXTS = [
  "",
  " ",
  "{",
  "[",
  '{"a"',
  '{"a":',
  '{"a":1',
  '{"a":1,',
  '{"a":1 "b":2}',
  "[1,",
  "[1 2]",
  "{a:1}",
  '{"a" 1}',
  "nul",
  "01",
  "-",
  '"abc',
  '"a\nb"',
  '"\\x"',
  '"\\u12"',
  '"\\u12zz"',
  '"\\',
  "{} {}",
  '\n {"é😀": x}',
  '{"x": -Infinity}',
  '{"x": NaN, y}',
  '{"vaultPath": "\\u0007"}',
  '{"wikiPath": ".hidden"}',
  '{"features": {"toc": "no"}}',
  "[[[[]]]]",
  '"[[[["',
  `${"[".repeat(101)}`,
  `{"a":${"[".repeat(99)}${"]".repeat(99)}}`,
  `{"a":${"[".repeat(100)}${"]".repeat(100)}}`,
  `"${'\\\\\\"['.repeat(200)}"`,
  '{"vaultPath":1}',
];

const PATHS = ["/a\\ b", "$HOME/x", "~x/y", "%A%\\x", "'x'", "/plain", "C:\\plain"];

test.skipIf(!NATIVE_PYTHON)("the same sentences", async () => {
  const table = JSON.parse(readFileSync(join(projectRoot, "fixtures/selection.json"), "utf8"));
  const env = { ...process.env, PYTHONPATH: join(projectRoot, "py"), PYTHONDONTWRITEBYTECODE: "1" };
  const input = JSON.stringify({ ...table, texts: TEXTS, paths: PATHS });
  const native = JSON.parse(execFileSync(NATIVE_PYTHON!, ["-c", PROGRAM], { env, input, encoding: "utf8" }));

  const selections = [];
  for (const row of table.cases) {
    const { error } = await selectVault({
      ...table.places[row.platform],
      platform: row.platform === "nt" ? "win32" : "linux",
      env: row.environment ?? {},
      config: row.options?.config,
      wikiPath: row.options?.wiki,
      operation: "search",
      input: row.input,
      readFile: async (path) => {
        if (row.unreadable?.includes(path)) throw Object.assign(new Error(), { code: "EACCES" });
        const text = row.files?.[path];
        return text === undefined ? null : Buffer.from(text);
      },
    });
    selections.push(error?.message ?? null);
  }
  expect(selections).toEqual(native.selections);

  const place = { windows: false, ...table.places.posix };
  const texts = await Promise.all(
    TEXTS.map(async (text) => (await readConfiguration("/c.json", async () => Buffer.from(text), place)).error),
  );
  expect(texts).toEqual(native.texts);
  expect(PATHS.map(missingHint)).toEqual(native.hints);
});
