// One tool as Pi runs and draws it, over a wiki that answers what a test says.
import { expect, test } from "vitest";
import type { CallOptions, Wiki } from "../../../src/index.ts";
import { definition } from "../../../src/pi/definition.ts";
import { wrapped } from "../../../src/pi/rows.ts";
import type { Envelope, Operation, Payload } from "../../../src/shared/envelope.ts";
import { TOOLS } from "../../../src/tools/catalog.ts";

type Answer = (args: Payload, options: CallOptions) => Envelope;

function registered(operation: Operation, answer: Answer) {
  const asked: Payload[] = [];
  const wiki: Wiki = {
    async call(_operation, args, options = {}) {
      asked.push(args);
      return answer(args, options);
    },
    warm: async () => {},
    close: async () => {},
  };
  const tool = TOOLS.find((one) => one.operation === operation)!;
  const defined = definition(tool, () => wiki);
  const updates: unknown[] = [];
  const run = (args: Payload) =>
    // biome-ignore lint/suspicious/noExplicitAny: Pi's context holds a session; only its folder is looked at
    defined.execute("id", args as any, undefined, (update) => updates.push(update), { cwd: "/" } as any);
  return { defined, run, asked, updates };
}

const reading = (page: unknown): Envelope => ({ operation: "read", ok: true, payload: { page, text: "words" } });
const notFound: Envelope = { operation: "read", ok: false, code: "page-not-found", message: "There is no such page." };

test("the model is shown the envelope as JSON, scripts get it as structure, the session stores no page text", async () => {
  const { run } = registered("read", ({ page }) => reading(page));
  const result = await run({ page: "wiki/a.md" });
  expect(result).toEqual({
    content: [{ type: "text", text: JSON.stringify(reading("wiki/a.md")) }],
    structuredContent: reading("wiki/a.md"),
    details: { operation: "read", ok: true, payload: { page: "wiki/a.md", text: 5 } },
  });
});

test("a failure is a tool error that keeps its structure", async () => {
  const { run } = registered("read", () => ({ ...notFound, payload: { nearest: ["wiki/b.md"] } }) as Envelope);
  const result = await run({ page: "wiki/a.md" });
  expect(result).toMatchObject({
    isError: true,
    structuredContent: { code: "page-not-found", payload: { nearest: ["wiki/b.md"] } },
    details: { code: "page-not-found" },
  });
});

test("a leading @ is taken off the page", async () => {
  const { run, asked } = registered("read", ({ page }) => reading(page));
  await run({ page: "@wiki/a.md" });
  expect(asked).toEqual([{ page: "wiki/a.md" }]);
});

test("a page that is really named with an @ is found by the reference that search gave", async () => {
  const { run, asked } = registered("read", ({ page }) => (page === "@people/bob.md" ? reading(page) : notFound));
  await expect(run({ page: "@people/bob.md" })).resolves.toMatchObject({ structuredContent: { ok: true } });
  expect(asked.map(({ page }) => page)).toEqual(["people/bob.md", "@people/bob.md"]);
});

test("where neither is a page, the failure is about the one without the @", async () => {
  const { run } = registered("read", ({ page }) => ({ ...notFound, message: `${page}` }) as Envelope);
  await expect(run({ page: "@wiki/a.md" })).resolves.toMatchObject({ structuredContent: { message: "wiki/a.md" } });
});

test("a call that was cancelled is not tried again", async () => {
  const { run, asked } = registered("read", () => ({ ...notFound, code: "cancelled" }) as Envelope);
  await run({ page: "@wiki/a.md" });
  expect(asked).toHaveLength(1);
});

test("progress is told at once and then not more often than a person can read", async () => {
  const { run, updates } = registered("search", (_args, { onProgress }) => {
    for (let done = 1; done <= 1_000; done++) onProgress?.({ what: "Reading pages", done, total: 1_000 });
    return { operation: "search", ok: true, payload: {} };
  });
  await run({ query: "q" });
  expect(updates.length).toBeLessThan(20);
  expect(updates[0]).toMatchObject({
    content: [{ text: "Reading pages: 1 of 1,000" }],
    details: { operation: "search", progress: { done: 1, total: 1_000 } },
  });
});

// What Pi passes to renderers, as far as ours look at it.
// biome-ignore lint/suspicious/noExplicitAny: a theme of one method
const theme = { fg: (color: string, text: string) => `<${color}>${text}` } as any;
// biome-ignore lint/suspicious/noExplicitAny: a context of one method
const context = { keyText: () => "ctrl+o" } as any;

test("a result is one line until it is expanded, and a failure is its sentence", async () => {
  const { defined, run } = registered("read", ({ page }) =>
    page === "wiki/gone.md"
      ? notFound
      : ({ ...reading(page), payload: { ...(reading(page).payload as Payload), ...place } } as Envelope),
  );
  const place = { start: 0, end: 5, lineStart: 1, lineEnd: 1, truncated: false, cursor: null };
  const draw = async (page: string, expanded: boolean) => {
    const options = { expanded, isPartial: false };
    return defined.renderResult!(await run({ page }), options, theme, context).render(40);
  };
  expect(await draw("wiki/a.md", false)).toEqual(["<success>line 1, 5 characters", "<dim>(ctrl+o to expand)"]);
  expect(await draw("wiki/a.md", true)).toEqual([
    "<toolOutput>wiki/a.md  line 1, characters 0–5",
    "<toolOutput>",
    "<toolOutput>words",
  ]);
  expect(await draw("wiki/gone.md", false)).toEqual(["<error>page-not-found: There is no such page."]);
  // biome-ignore lint/suspicious/noExplicitAny: arguments as a model streams them
  expect(defined.renderCall!({ page: "wiki/a.md", section: "Blight" } as any, theme, context).render(40)).toEqual([
    "<toolTitle>wiki_read wiki/a.md § Blight",
  ]);
});

test("what Pi itself says about wrong arguments is shown as it is", () => {
  const { defined } = registered("read", () => notFound);
  const result = { content: [{ type: "text" as const, text: "Validation failed" }], details: notFound };
  const lines = defined.renderResult!(result, { expanded: false, isPartial: false }, theme, context).render(40);
  expect(lines).toEqual(["<muted>Validation failed"]);
});

test("lines are wrapped at spaces and never wider than the terminal", () => {
  expect(wrapped("one two three", 8)).toEqual(["one two", "three"]);
  expect(wrapped("  one two three", 9)).toEqual(["  one two", "  three"]);
  expect(wrapped("        x y", 6)).toEqual(["      ", " x y"]);
  expect(wrapped("abcdefghij", 4)).toEqual(["abcd", "efgh", "ij"]);
  expect(wrapped("我们用倒排", 5)).toEqual(["我们", "用倒", "排"]);
  expect(wrapped("a\tb\n\nc", 80)).toEqual(["a   b", "", "c"]);
});
