import { defineConfig } from "vitest/config";
import LongestFirst from "./test/helpers/longest-first.ts";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/windows/**"],
    globalSetup: ["test/helpers/build-first.ts", "test/helpers/ollama-trap.ts"],
    reporters: ["default", "./test/helpers/closing-line.ts"],
    pool: "forks", // a test that ends badly takes its own process with it
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    testTimeout: 120_000, // machines are shared; no test waits for a time, so this only bounds a hang
    hookTimeout: 120_000,
  },
});
