// What the command line puts on a screen beside the answer.
import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { nextCommand } from "../../../src/cli/next.ts";
import { progressBar } from "../../../src/cli/progress.ts";
import { answerWords } from "../../../src/cli/words.ts";
import type { Operation, Payload, Success } from "../../../src/shared/envelope.ts";

const answer = (operation: Operation, payload: Payload): Success => ({ operation, ok: true, payload });

function screen(isTTY: boolean) {
  let shown = "";
  const stream = new Writable({
    write(chunk, _encoding, done) {
      shown += chunk;
      done();
    },
  });
  const terminal = Object.assign(stream, {
    isTTY,
    columns: 80,
    rows: 24,
    cursorTo() {},
    moveCursor() {},
    clearLine() {},
  });
  // biome-ignore lint/suspicious/noExplicitAny: what the progress bar uses of a terminal
  return { stream: terminal as any, shown: () => shown };
}

test("a progress bar is drawn on a terminal and nowhere else", () => {
  expect(progressBar(screen(false).stream)).toBeNull();
  const { stream, shown } = screen(true);
  const bar = progressBar(stream)!;
  bar.show({ what: "Reading pages", done: 1, total: 500 });
  bar.show({ what: "Reading pages", done: 500, total: 500 });
  bar.stop();
  expect(shown()).toContain("Reading pages");
  expect(shown()).toContain("of 500");
});

test("stopping a bar that never started draws nothing", () => {
  const { stream, shown } = screen(true);
  progressBar(stream)!.stop();
  expect(shown()).toBe("");
});

test("each answer names the command that goes on from it, ready to be copied", () => {
  const read = { page: "wiki/it's here.md", expectedHash: "h", start: 3, end: 9 };
  expect(nextCommand(answer("search", { vault: "/my vault", results: [{ read }] }), "wiki")).toEqual([
    "Next: pi-wiki read 'wiki/it'\\''s here.md' --hash h --start 3 --end 9 --vault '/my vault'",
  ]);
  const dashed = { ...read, page: "-x.md" };
  expect(nextCommand(answer("search", { vault: "/v", results: [{ read: dashed }] }), ".")).toEqual([
    "Next: pi-wiki read --hash h --start 3 --end 9 --vault /v --wiki-path . -- -x.md",
  ]);
  const rest = { ...read, start: 9, end: 30 };
  expect(
    nextCommand(
      answer("search", { vault: "/v", results: [{ read }], nextReads: [{ why: "…", read: rest }] }),
      "wiki",
    )[0],
  ).toContain(" --start 9 --end 30 ");
  const sections = [
    { section: "^lead", level: 0 },
    { section: "#a", level: 1 },
    { section: "#b", level: 2 },
  ];
  const page = { vault: "/v", page: "wiki/a.md", expectedHash: "h" };
  expect(nextCommand(answer("outline", { ...page, sections }), "wiki")).toEqual([
    "Next: pi-wiki read wiki/a.md --hash h --section '#b' --vault /v",
  ]);
  expect(nextCommand(answer("read", { ...page, truncated: true, cursor: "cur" }), "wiki")).toEqual([
    "Next: pi-wiki read wiki/a.md --hash h --cursor cur --vault /v",
  ]);
});

test("an answer that ends says nothing of a next one", () => {
  expect(nextCommand(answer("search", { vault: "/v", results: [] }), "wiki")).toEqual([]);
  expect(nextCommand(answer("read", { vault: "/v", truncated: false, cursor: null }), "wiki")).toEqual([]);
  expect(nextCommand(answer("doctor", { vault: "/v" }), "wiki")).toEqual([]);
});

test("an index names what was written and what was not read", () => {
  const words = answerWords(
    answer("index", {
      vault: "/v",
      pages: 44,
      terms: 1_234,
      files: [{ name: "index.bin", bytes: 20_480 }],
      skipped: { reserved: 2 },
      unread: [{ page: "wiki/x.md", reason: "no permission" }],
      unseen: [],
    }),
  );
  expect(words).toBe(
    [
      "Indexed 44 pages, 1,234 words. Written into .vault-meta/retrieval/:",
      "index.bin  20.0 KiB",
      "left out: 2 files (reserved)",
      "not read: wiki/x.md: no permission",
    ].join("\n"),
  );
});
