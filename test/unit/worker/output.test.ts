// What Python prints is kept up to a limit of bytes, in whole characters.
import { expect, test } from "vitest";
import { BoundedOutput } from "../../../src/worker/output.ts";

const MOST = 8;
const bytes = (text: string) => new TextEncoder().encode(text);

function kept(...writes: Uint8Array[]): string {
  const output = new BoundedOutput(MOST);
  for (const write of writes) output.write(write);
  return output.take();
}

test.each([
  ["one byte below the limit", "abcdefg", "abcdefg"],
  ["at the limit", "abcdefgh", "abcdefgh"],
  ["one byte above", "abcdefghi", "abcdefgh"],
  ["a letter of two bytes that ends at the limit", "abcdefé", "abcdefé"],
  ["a letter of two bytes across it", "abcdefgé", "abcdefg"],
  ["a letter of three bytes across it by one", "abcdef日", "abcdef"],
  ["a letter of four bytes that ends at the limit", "abcd🌱x", "abcd🌱"],
  ["a letter of four bytes across it by three", "abcdefg🌱", "abcdefg"],
  ["a letter of four bytes across it by one", "abcde🌱", "abcde"],
  ["a mark that joins, which is a character of its own", "abcdefge\u0301", "abcdefge"],
])("%s", (_what, written, text) => {
  expect(kept(bytes(written))).toBe(text);
  expect(kept(...[...bytes(written)].map((byte) => Uint8Array.of(byte)))).toBe(text);
});

test("what comes after the limit is not kept, not even where a smaller piece would fit", () => {
  expect(kept(bytes("abcdefg"), bytes("🌱"), bytes("x"))).toBe("abcdefg");
});

test("bytes that are no character are shown as such, and taking begins anew", () => {
  const output = new BoundedOutput(MOST);
  output.write(Uint8Array.of(0x61, 0xff, 0x62));
  expect(output.take()).toBe("a\ufffdb");
  output.write(bytes("abcdefghi"));
  expect(output.take()).toBe("abcdefgh");
  expect(output.take()).toBe("");
});
