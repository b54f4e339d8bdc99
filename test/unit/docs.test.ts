// The README says what there is: every tool, every command and the limits as they are.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import packageFacts from "../../package.json" with { type: "json" };
import { LIMITS } from "../../src/shared/limits.ts";
import { TOOLS } from "../../src/tools/catalog.ts";
import { count, grouped } from "../../src/tools/render.ts";
import { PER_PAGE_LINES, READ_TOP_MAX } from "../../src/tools/search.ts";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const changelog = readFileSync(new URL("../../CHANGELOG.md", import.meta.url), "utf8");

test("every tool is in the README and in the changelog", () => {
  for (const { name } of TOOLS) {
    expect(readme).toContain(`| \`${name}\` |`);
    expect(changelog).toContain(`\`${name}\``);
  }
});

test("the README's limits are those of the code", () => {
  const rows = [
    `| ${LIMITS.callDeadlineMs / 1000} s |`,
    `${LIMITS.callDeadlineMinMs / 1000} s to ${LIMITS.callDeadlineMaxMs / 1000} s`,
    `| ${LIMITS.modelJsonMaxBytes / 1024} KiB |`,
    `| ${LIMITS.responseMaxBytes / 1024} KiB |`,
    `| query | ${grouped(LIMITS.queryMaxChars)} characters |`,
    `| results of a search | ${LIMITS.resultsDefault} | \`limit\`, at most ${LIMITS.resultsMax} |`,
    `\`read_top_n\`, at most ${READ_TOP_MAX}, of ${PER_PAGE_LINES.default} lines each (\`per_page_limit\`, at most ${PER_PAGE_LINES.max})`,
    `| sections of an outline | ${LIMITS.outlineDefault} | \`limit\`, at most ${LIMITS.outlineMax};`,
    `| one read | ${grouped(LIMITS.readMaxChars)} characters |`,
    `| one question to Ollama | ${LIMITS.embedDeadlineMs / 1000} s | ${LIMITS.embedBuildMs / 1000} s while`,
    `| one page | ${LIMITS.pageMaxBytes / 1024 / 1024} MiB |`,
    `| sandboxes alive | ${LIMITS.sandboxesAlive} |`,
    `| an idle sandbox | ${count(LIMITS.sandboxIdleMs / 60_000, "minute")} |`,
  ];
  for (const row of rows) expect(readme).toContain(row);
});

test("the README names the package, its command and the two lines of a fresh clone", () => {
  expect(readme).toContain(`pi install npm:${packageFacts.name}`);
  expect(readme).toContain("npm install && npm run demo\nnpm install && npm test");
  for (const command of Object.keys(packageFacts.bin)) expect(readme).toContain(`${command} --help`);
});

test("the changelog is of the form that Pi shows after an update", () => {
  expect(changelog).toMatch(/^# Changelog\n\n## \[(Unreleased|\d+\.\d+\.\d+)\]/);
  const headings = [...changelog.matchAll(/^### (.*)$/gm)].map(([, heading]) => heading);
  expect(["Breaking Changes", "Added", "Changed", "Fixed", "Removed", "Security"]).toEqual(
    expect.arrayContaining(headings),
  );
});
