// What may cross the boundary: 256 KiB of response, 8 KiB of stderr, 1 MiB of request, in bytes of UTF-8 as they are
// sent. Another program in the bridge's place says exactly as much as it is asked to.
import { afterAll, describe, expect, test } from "vitest";
import { envelopeOf } from "../../src/host/response.ts";
import { LIMITS } from "../../src/shared/limits.ts";
import { ask, laneOver, textOf } from "../helpers/runtime.ts";

const lane = laneOver(null, {
  beforeSealing: `
import json, sys
from wiki import bridge
def handle(text, surroundings, *, root=""):
    asked = json.loads(text)
    response, stderr = asked["response"], asked["stderr"]
    sys.stderr.write(stderr["before"] + stderr["unit"] * stderr["times"])
    return response["before"] + response["unit"] * response["times"] + response["after"]
bridge.handle = handle
`,
});
afterAll(() => lane.close());

const NOTHING = { before: "", unit: "", times: 0, after: "" };
const said = (response: object, stderr: object = {}) =>
  ask(lane, JSON.stringify({ response: { ...NOTHING, ...response }, stderr: { ...NOTHING, ...stderr } }), {
    needsListing: false,
  });

const FRAME = ['{"operation":"read","ok":true,"payload":{"text":"', '"}}'] as const;
const bytesOf = (text: string) => Buffer.byteLength(text);

const UNITS = [
  ["letters of one byte", "x"],
  ["letters of two bytes", "é"],
  ["letters of three bytes", "日"],
  ["letters of four bytes", "🌱"],
  ["escaped quotes", '\\"'],
  ["escaped control characters", "\\u0001"],
] as const;

describe.each(UNITS)("a response of %s", (_what, unit) => {
  const room = LIMITS.responseMaxBytes - bytesOf(FRAME.join(""));
  const times = Math.floor((room - 1) / bytesOf(unit));

  test.each([-1, 0])("that is %i bytes from the limit comes whole", async (by) => {
    const filled = "x".repeat(room + by - times * bytesOf(unit));
    const reply = await said({ before: FRAME[0] + filled, unit, times, after: FRAME[1] });
    expect(reply.response.length).toBe(LIMITS.responseMaxBytes + by);
    expect(envelopeOf("read", reply).payload!.text).toBe(filled + JSON.parse(`"${unit}"`).repeat(times));
  });

  test("that is one byte above the limit is an output-limit, nothing of it comes, and the next one does", async () => {
    const filled = "x".repeat(room + 1 - times * bytesOf(unit));
    const reply = await said({ before: FRAME[0] + filled, unit, times, after: FRAME[1] });
    expect(reply).toMatchObject({ overflow: true, response: new Uint8Array(0) });
    expect(() => envelopeOf("read", reply)).toThrow(expect.objectContaining({ code: "output-limit" }));
    expect(textOf(await said({ before: "next" }))).toBe("next");
  });
});

describe.each(UNITS.slice(0, 4))("of %s on stderr", (_what, unit) => {
  const times = Math.floor(LIMITS.stderrMaxBytes / bytesOf(unit));
  const exact = LIMITS.stderrMaxBytes - times * bytesOf(unit);

  test("8 KiB are kept whole", async () => {
    const before = "x".repeat(exact);
    const { stderr } = await said({}, { before, unit, times });
    expect(stderr).toBe(before + unit.repeat(times));
    expect(bytesOf(stderr)).toBe(LIMITS.stderrMaxBytes);
  });

  test("one byte more leaves the last one out, and no part of it is shown", async () => {
    const before = "x".repeat(exact + 1);
    const { stderr } = await said({}, { before, unit, times });
    expect(stderr).toBe(before + unit.repeat(times - 1));
  });

  test("a flood is kept up to the same limit, and is gone for the next call", async () => {
    const { stderr } = await said({}, { unit, times: 100_000 });
    expect(stderr).toBe(unit.repeat(times));
    expect((await said({})).stderr).toBe("");
  });
});
