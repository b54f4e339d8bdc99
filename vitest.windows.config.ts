import { defineConfig } from "vitest/config";
import config from "./vitest.config.ts";

// Apart from the rest: it needs Wine, and takes minutes.
export default defineConfig({ test: { ...config.test, include: ["test/windows/**/*.test.ts"], exclude: [] } });
