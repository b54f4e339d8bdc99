// What a model is shown: never more than 64 KiB of JSON, and never a part of an answer.
import { describe, expect, test } from "vitest";
import type { Envelope, Failure, Payload } from "../../../src/shared/envelope.ts";
import { LIMITS } from "../../../src/shared/limits.ts";
import { TOOLS } from "../../../src/tools/catalog.ts";
import { present } from "../../../src/tools/present.ts";

const tool = (operation: string) => TOOLS.find((one) => one.operation === operation)!;
const bytesOf = (json: string) => Buffer.byteLength(json);

function reading(text: string, more: Payload = {}): Envelope {
  const place = { vault: "/v", page: "wiki/a.md", expectedHash: "0".repeat(64), view: "raw", selection: {} };
  const payload = { ...place, start: 0, end: text.length, lineStart: 1, lineEnd: 1, text, truncated: false, ...more };
  return { operation: "read", ok: true, payload: { cursor: null, ...payload } };
}

function outlineOf(sections: number, title: string): Envelope {
  const one = {
    section: "#a",
    level: 1,
    title,
    breadcrumb: title,
    start: 0,
    end: 1,
    ownEnd: 1,
    lineStart: 1,
    lineEnd: 1,
  };
  const payload = { vault: "/v", page: "wiki/a.md", title: "A", expectedHash: "0", characters: 1, lines: 1 };
  const listed = Array.from({ length: sections }, () => one);
  return {
    operation: "outline",
    ok: true,
    payload: { ...payload, total: sections, sections: listed, nextOffset: null },
  };
}

/** A reading whose JSON has exactly this many bytes. */
function readingOf(bytes: number): Envelope {
  let answer = reading("");
  // `end` grows with the text, so the last digits are found by trying.
  for (let length = bytes - bytesOf(JSON.stringify(answer)) - 8; bytesOf(JSON.stringify(answer)) < bytes; length++)
    answer = reading("a".repeat(length));
  return answer;
}

describe("the limit on what a model is shown", () => {
  test.each([-1, 0])("an answer of the limit %i bytes is shown as it is", (by) => {
    const answer = readingOf(LIMITS.modelJsonMaxBytes + by);
    const { envelope, json } = present(tool("read"), {}, answer);
    expect(envelope).toBe(answer);
    expect(bytesOf(json)).toBe(LIMITS.modelJsonMaxBytes + by);
  });

  test("one byte more is an output-limit", () => {
    const { envelope } = present(tool("read"), {}, readingOf(LIMITS.modelJsonMaxBytes + 1));
    expect(envelope).toMatchObject({
      ok: false,
      code: "output-limit",
      payload: { bytes: LIMITS.modelJsonMaxBytes + 1 },
    });
  });

  test.each([
    ["quotes", '"'],
    ["line ends", "\n"],
    ["control characters", "\u0001"],
    ["emoji", "😀"],
    ["lone surrogates", "\ud800"],
  ])("%s are counted as they are sent", (_what, character) => {
    const { json } = present(tool("read"), {}, reading(character.repeat(50_000)));
    expect(bytesOf(json)).toBeLessThanOrEqual(LIMITS.modelJsonMaxBytes);
    expect(JSON.parse(json)).toMatchObject({
      code: "output-limit",
      payload: { smaller: { maxChars: expect.any(Number) } },
    });
  });

  test("the smaller read that is named fits, and one character more may not", () => {
    const { envelope } = present(tool("read"), {}, reading("\u0001".repeat(12_000)));
    const { smaller } = (envelope as Failure).payload as { smaller: { maxChars: number } };
    const shown = (length: number) =>
      bytesOf(JSON.stringify(reading("\u0001".repeat(length), { truncated: true, cursor: "c".repeat(1024) })));
    expect(shown(smaller.maxChars)).toBeLessThanOrEqual(LIMITS.modelJsonMaxBytes);
    expect(shown(smaller.maxChars + 2)).toBeGreaterThan(LIMITS.modelJsonMaxBytes);
  });

  test("the smaller outline that is named fits, and is said in the message", () => {
    const { envelope } = present(tool("outline"), { limit: 100 }, outlineOf(100, "é".repeat(500)));
    const { smaller } = (envelope as Failure).payload as { smaller: { limit: number } };
    expect(bytesOf(JSON.stringify(outlineOf(smaller.limit, "é".repeat(500))))).toBeLessThanOrEqual(
      LIMITS.modelJsonMaxBytes,
    );
    expect(smaller.limit).toBeGreaterThan(20);
    expect((envelope as Failure).message).toContain(`limit ${smaller.limit}`);
  });

  test("a failure keeps its code when its structure does not fit", () => {
    const failed: Failure = {
      operation: "read",
      ok: false,
      code: "section-ambiguous",
      message: "Many fit.",
      payload: { sections: Array.from({ length: 3_000 }, () => ({ section: "#a", breadcrumb: "A > B > C" })) },
    };
    const { envelope, json } = present(tool("read"), {}, failed);
    expect(envelope).toMatchObject({
      code: "section-ambiguous",
      message: "Many fit.",
      payload: { omitted: expect.any(String) },
    });
    expect(bytesOf(json)).toBeLessThan(1_000);
  });
});

describe("what is stored beside an answer", () => {
  test("has lengths where a page's words were, and everything else", () => {
    const { details } = present(tool("read"), {}, reading("naïve 😀"));
    expect(details).toMatchObject({ operation: "read", ok: true, payload: { page: "wiki/a.md", text: 7, end: 8 } });
  });

  test("also inside lists", () => {
    const results = [{ path: "wiki/a.md", excerpt: "secret words", content: "more secret words" }];
    const pages = [{ page: "wiki/a.md", text: "all the secret words" }];
    const answer: Envelope = { operation: "search", ok: true, payload: { query: "q", results, pages } };
    const { details } = present(tool("search"), {}, answer);
    expect(details.payload).toMatchObject({ results: [{ excerpt: 12, content: 17 }], pages: [{ text: 20 }] });
    expect(JSON.stringify(details)).not.toContain("secret");
  });
});
