// The last line of a test run says what came of it, in a form that programs read: `N passed, N failed, N skipped`.
import type { Reporter, TestCase } from "vitest/node";

export default class ClosingLine implements Reporter {
  #counts = { passed: 0, failed: 0, skipped: 0 };

  onTestCaseResult(test: TestCase): void {
    const { state } = test.result();
    if (state !== "pending") this.#counts[state]++;
  }

  onTestRunEnd(_modules: unknown, errors: readonly unknown[]): void {
    const { passed, failed, skipped } = this.#counts;
    // After everything that other reporters print, and after what is only looked at when all tests have ended.
    process.on("exit", (status) => {
      const failures = failed + errors.length || (status === 0 ? 0 : 1);
      console.log(`${passed} passed, ${failures} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
    });
  }
}
