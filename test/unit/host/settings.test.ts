// What a user may set beside the vault.
import { expect, test } from "vitest";
import { readSettings } from "../../../src/host/settings.ts";
import { LIMITS } from "../../../src/shared/limits.ts";

test("without anything set, the contract's numbers hold", () => {
  expect(readSettings({ env: {} })).toMatchObject({ timeoutMs: LIMITS.callDeadlineMs, warm: true });
});

test.each([
  ["1000", 1_000],
  [" 600000 ", 600_000],
  ["  ", LIMITS.callDeadlineMs],
])("PI_WIKI_TIMEOUT_MS=%j", (value, timeoutMs) => {
  expect(readSettings({ env: { PI_WIKI_TIMEOUT_MS: value } })).toMatchObject({ timeoutMs });
});

test.each(["999", "600001", "-5", "5s", "1e4", "Infinity"])(
  "PI_WIKI_TIMEOUT_MS=%j is refused with what is right",
  (value) => {
    expect(() => readSettings({ env: { PI_WIKI_TIMEOUT_MS: value } })).toThrow(
      expect.objectContaining({
        code: "invalid-input",
        message: expect.stringMatching(/milliseconds|1 to 600 seconds/),
      }),
    );
  },
);

test("an option goes before the environment, and is bounded too", () => {
  expect(readSettings({ env: { PI_WIKI_TIMEOUT_MS: "nonsense" }, timeoutMs: 2_500 }).timeoutMs).toBe(2_500);
  for (const timeoutMs of [0, 999, 600_001, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => readSettings({ env: {}, timeoutMs })).toThrow(/1 to 600 seconds/);
  }
});

test.each(["0", "false", "No", " off "])("PI_WIKI_WARM=%j turns warming up off", (value) => {
  expect(readSettings({ env: { PI_WIKI_WARM: value } }).warm).toBe(false);
});

test("Ollama's address and model come from the environment", () => {
  const env = { PI_WIKI_OLLAMA_URL: "http://localhost:1234", PI_WIKI_OLLAMA_MODEL: "m" };
  expect(readSettings({ env }).ollama).toMatchObject({ baseUrl: "http://localhost:1234", model: "m" });
});
