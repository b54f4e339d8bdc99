// The main job in the real Pi: a conversation that searches, outlines, reads and diagnoses, with a model that follows a
// script. Everything is asserted from Pi's own JSON events.
import { afterAll, expect, test } from "vitest";
import { gardenVault, tempFolder } from "../helpers/garden.ts";
import { modelServer, type Script } from "../helpers/model-server.ts";
import { type PiRun, runPi } from "../helpers/pi.ts";
import { picture } from "../helpers/untouched.ts";

const vault = gardenVault();
const before = picture(vault.path);

afterAll(() => {
  expect(picture(vault.path)).toEqual(before);
  vault[Symbol.dispose]();
});

async function conversation(script: Script, env: Record<string, string> = { OBSIDIAN_VAULT_PATH: vault.path }) {
  await using model = await modelServer(script);
  const run = await runPi("What does my wiki say?", { baseUrl: model.baseUrl, env });
  return { ...run, requests: model.requests };
}

/** The ends of tool calls, in the order in which they ended. */
const ends = ({ events }: PiRun) => events.filter(({ type }) => type === "tool_execution_end");

function finalText({ events }: PiRun): string {
  const answers = events.filter(({ type, message }) => type === "message_end" && message.role === "assistant");
  return answers
    .at(-1)
    .message.content.map((part: { text?: string }) => part.text ?? "")
    .join("");
}

test("search, outline, read and doctor in four turns, and the answer's words are the page's", async () => {
  const run = await conversation([
    () => ({ name: "wiki_search", arguments: { query: "late frost tomatoes 2026-05" } }),
    ([search]) => ({ name: "wiki_outline", arguments: { page: search.payload.results[0].path, limit: 50 } }),
    ([, { payload: outline }]) => ({
      name: "wiki_read",
      arguments: {
        page: `@${outline.page}`,
        expectedHash: outline.expectedHash,
        section: outline.sections.find(({ title }: { title: string }) => title.includes("Late frost")).section,
      },
    }),
    () => ({ name: "wiki_doctor", arguments: {} }),
    ([, , read, doctor]) => `${read.payload.text} (of ${doctor.payload.pages.counted} pages)`,
  ]);

  expect(run.exitCode, run.stderr).toBe(0);
  expect(ends(run).map(({ toolName, isError }) => [toolName, isError])).toEqual([
    ["wiki_search", false],
    ["wiki_outline", false],
    ["wiki_read", false],
    ["wiki_doctor", false],
  ]);
  expect(finalText(run)).toContain("Minus 2.5 °C on the stream side at five in the morning");
  expect(finalText(run)).toContain("(of 44 pages)");
  for (const { result } of ends(run)) {
    expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
    expect(result.structuredContent).toMatchObject({ ok: true });
  }
  const [search, , read] = ends(run).map(({ result }) => result);
  expect(search.structuredContent.payload.results[0]).toMatchObject({ path: "wiki/weather-diary.md" });
  expect(read.details.payload.text).toBe([...read.structuredContent.payload.text].length);
  expect(JSON.stringify(read.details)).not.toContain("Minus 2.5");
});

test("the model is told of four tools and nothing of the wiki", async () => {
  const run = await conversation([() => "Nothing to do."]);
  const [request] = run.requests;
  const tools = request!.tools!.map((tool) => tool.function.name).filter((name) => name.startsWith("wiki_"));
  expect(tools).toEqual(["wiki_search", "wiki_outline", "wiki_read", "wiki_doctor"]);
  const prompt = JSON.stringify(request!.messages);
  expect(prompt).toContain("wiki_search");
  expect(prompt).not.toMatch(/tomato|compost/i);
});

test("every option of search works in a conversation, and a reference goes into read as it is", async () => {
  const everything = {
    query: "frost",
    vault: vault.path,
    limit: 3,
    hybrid: false,
    type: "diary",
    tags: ["weather", "#고추"],
    include_content: true,
    inline_budget: 2_000,
    read_top_n: 1,
    section: "late frost",
    per_page_limit: 2,
    include_toc: true,
  };
  const run = await conversation([
    () => ({ name: "wiki_search", arguments: everything }),
    ([{ payload }]) => ({ name: "wiki_read", arguments: payload.results[0].read }),
    ([, read]) => read.payload.text,
  ]);
  const [search, read] = ends(run);
  expect(search.isError, search.result.content[0].text).toBe(false);
  const { payload } = search.result.structuredContent;
  expect(payload.results.map(({ path }: { path: string }) => path)).toEqual(["wiki/weather-diary.md"]);
  expect(payload.results[0].content).toContain("frost");
  expect(payload.pages).toEqual([
    expect.objectContaining({ page: "wiki/weather-diary.md", section: "#2026-05-13-late-frost", truncated: true }),
  ]);
  expect(payload.pages[0].toc).toContainEqual(expect.objectContaining({ title: "2026-05-17 Hail" }));
  expect(payload.nextReads.length).toBeGreaterThan(0);
  expect(read.isError).toBe(false);
  expect(finalText(run)).toBe(read.result.structuredContent.payload.text);
  const properties = run.requests[0]!.tools!.find((tool) => tool.function.name === "wiki_search")!.function.parameters;
  expect(Object.keys(properties.properties as object).sort()).toEqual(Object.keys(everything).sort());
});

test("hybrid without Ollama answers by words, and says what to do", async () => {
  const run = await conversation([
    () => ({ name: "wiki_search", arguments: { query: "who may water", hybrid: true } }),
    () => "Done.",
  ]);
  const [search] = ends(run);
  expect(search.isError).toBe(false);
  const { payload } = search.result.structuredContent;
  expect(payload).toMatchObject({ fallback: "bm25", semanticError: expect.any(String) });
  expect(payload.results.length).toBeGreaterThan(0);
});

test("a failing call is a tool error that keeps its structure, and the conversation goes on", async () => {
  const run = await conversation([
    () => ({ name: "wiki_read", arguments: { page: "wiki/plants/garlic.md", expectedHash: "0", section: "Drying" } }),
    ([failed]) => ({
      name: "wiki_read",
      arguments: { page: failed.payload.page, expectedHash: failed.payload.expectedHash, section: "Drying" },
    }),
    ([, read]) => read.payload.text,
  ]);
  const [failed, read] = ends(run);
  expect(failed).toMatchObject({
    isError: true,
    result: { structuredContent: { ok: false, code: "hash-mismatch", payload: { page: "wiki/plants/garlic.md" } } },
  });
  expect(JSON.parse(failed.result.content[0].text)).toEqual(failed.result.structuredContent);
  expect(read.isError).toBe(false);
  expect(finalText(run)).toContain("A bulb is dry when the neck no longer gives.");
});

test("arguments that the schema refuses do not reach the sandbox", async () => {
  const run = await conversation([
    () => [
      { name: "wiki_search", arguments: { query: "q", limit: 101 } },
      { name: "wiki_search", arguments: { query: "q", status: "draft" } },
    ],
    () => "Done.",
  ]);
  expect(run.exitCode).toBe(0);
  const results = run.events.filter(({ type, message }) => type === "message_end" && message.role === "toolResult");
  expect(results).toHaveLength(2);
  for (const { message } of results) {
    expect(message.isError).toBe(true);
    expect(message.content[0].text).toContain("Validation failed");
  }
});

test("four calls in one turn all answer", async () => {
  const page = "wiki/plants/garlic.md";
  const run = await conversation([
    () => ({ name: "wiki_outline", arguments: { page } }),
    ([{ payload }]) => [
      { name: "wiki_search", arguments: { query: "garlic" } },
      { name: "wiki_outline", arguments: { page } },
      { name: "wiki_read", arguments: { page, expectedHash: payload.expectedHash, section: "Planting" } },
      { name: "wiki_doctor", arguments: {} },
    ],
    (results) => `${results.length} answers`,
  ]);
  expect(finalText(run)).toBe("5 answers");
  expect(ends(run).map(({ isError }) => isError)).toEqual([false, false, false, false, false]);
});

test("no vault is a failure that says how to select one, and doctor answers all the same", async () => {
  const run = await conversation(
    [
      () => [
        { name: "wiki_search", arguments: { query: "q" } },
        { name: "wiki_doctor", arguments: {} },
      ],
      () => "Done.",
    ],
    {},
  );
  const byName = Object.fromEntries(ends(run).map((end) => [end.toolName, end]));
  expect(byName.wiki_search).toMatchObject({ isError: true, result: { structuredContent: { code: "no-vault" } } });
  expect(byName.wiki_search.result.structuredContent.message).toContain("OBSIDIAN_VAULT_PATH");
  expect(byName.wiki_doctor).toMatchObject({ isError: false, result: { structuredContent: { ok: true } } });
});

test("a configuration file selects the vault, and is left as it is", async () => {
  using folder = tempFolder();
  const { writeFileSync } = await import("node:fs");
  const file = `${folder.path}/properties.json`;
  writeFileSync(file, JSON.stringify({ vaultPath: vault.path, other: 1 }));
  const asItWas = picture(folder.path);
  const run = await conversation(
    [() => ({ name: "wiki_search", arguments: { query: "hand pump" } }), ([{ payload }]) => payload.results[0].path],
    { OBSIDIAN_AGENT_CONFIG: file },
  );
  expect(finalText(run)).toBe("wiki/water/pump.md");
  expect(picture(folder.path)).toEqual(asItWas);
});
