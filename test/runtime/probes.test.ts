// Every probe, run in the shipped sandbox: nothing outside comes of it, and nothing that a later request could see.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PROBE_NAMES, type ProbeAgent, probeAgent } from "../helpers/probe.ts";

test("there are as many probes as were promised", () => {
  expect(PROBE_NAMES.length).toBeGreaterThanOrEqual(61 + 20);
});

describe("in the sandbox as it is shipped", () => {
  let agent: ProbeAgent;
  let world: string[];
  let answer: unknown;

  beforeAll(async () => {
    agent = await probeAgent();
    world = await agent.world();
    answer = (await agent.ask("search", { query: "tomatoes" })).envelope;
  });
  afterAll(() => agent[Symbol.asyncDispose]());

  test("a second request sees what the first saw", async () => {
    expect(world.length).toBeGreaterThan(100);
    expect(await agent.world()).toEqual(world);
  });

  test.for(PROBE_NAMES)("%s", async (name) => {
    expect(await agent.effects(name), agent.said).toEqual([]);
    const later = await agent.world();
    expect(
      later.filter((line) => !world.includes(line)),
      `left for a later request; ${agent.said}`,
    ).toEqual([]);
    expect((await agent.ask("search", { query: "tomatoes" })).envelope).toEqual(answer);
  });

  test("the agent's process then ends by itself, without an error", async () => {
    expect(await agent.end()).toBe(0);
  });
});

describe("with Python's own doors left open", () => {
  let agent: ProbeAgent;

  beforeAll(async () => {
    agent = await probeAgent({ open: true });
  });
  afterAll(() => agent[Symbol.asyncDispose]());

  test.for(PROBE_NAMES)("%s", async (name) => {
    expect(await agent.effects(name), agent.said).toEqual([]);
  });
});
