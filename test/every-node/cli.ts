// The command line's main job, once each: what a Node could break without our code having changed.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type CliRun, wikiCli } from "../helpers/cli.ts";
import { gardenVault } from "../helpers/garden.ts";
import { pageThatTakesLong } from "../helpers/large-vault.ts";
import { picture } from "../helpers/untouched.ts";

const PAGE = "wiki/plants/tomatoes.md";

/** In the order in which they run, over one vault, which the last one takes away. */
export function checks(node: string): Record<string, () => Promise<void> | void> {
  const vault = gardenVault();
  const before = picture(vault.path);
  let found: CliRun;
  let hash = "";

  const cli = (...argv: string[]) => wikiCli([...argv, "--vault", vault.path, "--json"], { node });
  const payloadOf = ({ status, stdout, stderr }: CliRun) => {
    assert.equal(status, 0, stdout + stderr);
    assert.equal(stderr, "");
    return JSON.parse(stdout).payload;
  };

  return {
    "search finds a page": async () => {
      found = await cli("search", "tomato", "blight");
      const { results, source } = payloadOf(found);
      assert.deepEqual([results[0].path, source], [PAGE, "live"]);
    },
    "outline gives its sections": async () => {
      const outline = payloadOf(await cli("outline", PAGE));
      assert.deepEqual([outline.title, outline.total], ["Tomatoes", 5]);
      hash = outline.expectedHash;
    },
    "read gives a section's text": async () => {
      const { text } = payloadOf(await cli("read", PAGE, "--hash", hash, "--section", "blight"));
      assert.match(text, /^## Blight\n/);
    },
    "doctor names this Node, and the sandbox starts from its snapshot": async () => {
      const { dependencies, sandbox } = payloadOf(await cli("doctor"));
      assert.equal(dependencies.node, execFileSync(node, ["--version"], { encoding: "utf8" }).trim().slice(1));
      assert.deepEqual([sandbox.start, sandbox.coldReason], ["snapshot", null]);
    },
    "--isolated gives the same answer": async () => {
      assert.deepEqual(await cli("search", "tomato", "blight", "--isolated"), found);
    },
    "wrong usage is status 2 and a sentence": async () => {
      const { status, stdout, stderr } = await cli("search", "q", "--limit", "none");
      assert.deepEqual([status, stdout], [2, ""]);
      assert.match(stderr, /--limit/);
    },
    "nothing of the vault has changed": () => assert.deepEqual(picture(vault.path), before),
    "a deadline ends the command": async () => {
      const page = pageThatTakesLong(vault.path);
      const { status, stdout } = await cli("outline", page, "--timeout", "1");
      assert.equal(status, 1, stdout);
      assert.equal(JSON.parse(stdout).code, "deadline");
      rmSync(join(vault.path, page));
    },
    "index publishes a file, and search uses it": async () => {
      payloadOf(await cli("index"));
      const { results, source } = payloadOf(await cli("search", "tomato", "blight"));
      assert.deepEqual([results[0].path, source], [PAGE, "index-file"]);
      vault[Symbol.dispose]();
    },
  };
}
