// Draws the table of who may import whom (DESIGN.md) from the imports themselves.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

const FACE = ["shared", "host", "tools", "publish", "ollama", "faces"];

/** Each room with the rooms it may import from; a type alone may also come from the other side of the thread. */
const MAY_IMPORT: Record<string, string[]> = {
  shared: [],
  ollama: ["shared"],
  assets: ["shared"],
  worker: ["shared", "assets"],
  publish: ["shared", "host"],
  host: ["shared", "assets", "ollama"],
  tools: ["shared", "host"],
  cli: FACE,
  pi: FACE,
  faces: [...FACE, "cli", "pi"],
};
/** What one side of the thread boundary may know of the other: types only. */
const TYPES_FROM: Record<string, string[]> = { host: ["worker"], assets: ["worker"] };

interface Import {
  file: string;
  room: string;
  source: string;
  typeOnly: boolean;
}

function roomOf(file: string): string {
  const [first, second] = file.split("/");
  return second === undefined ? "faces" : first!;
}

const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .map((name) => name.replaceAll("\\", "/"))
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"));

const imports: Import[] = files.flatMap((file) => {
  const text = readFileSync(join(root, "src", file), "utf8");
  const found = text.matchAll(/^(?:import|export)\s+(type\s)?[^"';]*?from\s+"([^"]+)"/gms);
  return [...found].map(([, typeOnly, source]) => ({
    file,
    room: roomOf(file),
    source: source!,
    typeOnly: Boolean(typeOnly),
  }));
});

test("the table covers every room and finds imports at all", () => {
  expect(imports.length).toBeGreaterThan(50);
  for (const { room } of imports) expect(MAY_IMPORT).toHaveProperty(room);
});

test("rooms import only what the design allows", () => {
  const wrong = imports
    .filter(({ source }) => source.startsWith(".") && !source.endsWith("package.json"))
    .filter(({ file, room, source, typeOnly }) => {
      const target = roomOf(relative("", join(dirname(file), source)).replaceAll("\\", "/"));
      if (target === room) return false;
      if (MAY_IMPORT[room]?.includes(target)) return false;
      return !(typeOnly && TYPES_FROM[room]?.includes(target));
    });
  expect(wrong.map(({ file, source }) => `${file} imports ${source}`)).toEqual([]);
});

test("what both threads know imports nothing of Node", () => {
  expect(imports.filter(({ room, source }) => room === "shared" && source.startsWith("node:"))).toEqual([]);
});

test.each([
  ["a socket", /^node:(net|http|https|tls|dgram|http2)$/, /^ollama\//],
  ["a worker", /^node:worker_threads$/, /^(host\/sandbox|worker\/.*)\.ts$/],
  ["a process", /^node:child_process$/, /^cli\/isolated\.ts$/],
])("only its own place imports what opens %s", (_what, module, place) => {
  const users = imports.filter(({ source, typeOnly }) => module.test(source) && !typeOnly).map(({ file }) => file);
  expect(users.filter((file) => !place.test(file))).toEqual([]);
});

test("only publish writes files", () => {
  const writes =
    /\b(writeFile|appendFile|createWriteStream|mkdir|rename|unlink|rm|rmdir|truncate|utimes|chmod)(Sync)?\(/;
  const writers = files.filter((file) => writes.test(readFileSync(join(root, "src", file), "utf8")));
  expect(writers.filter((file) => !file.startsWith("publish/") && !file.startsWith("worker/realm/"))).toEqual([]);
});

test("in Python nothing imports js or pyodide, and only the standard library", () => {
  const sources = readdirSync(join(root, "py/wiki")).filter((name) => name.endsWith(".py"));
  expect(sources.length).toBeGreaterThan(10);
  for (const name of sources) {
    expect(readFileSync(join(root, "py/wiki", name), "utf8"), name).not.toMatch(
      /^\s*(import|from)\s+(js|pyodide|_pyodide)\b/m,
    );
  }
});
