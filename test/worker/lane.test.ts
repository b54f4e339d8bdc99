import { getEventListeners } from "node:events";
import { afterEach, expect, test } from "vitest";
import type { Lane } from "../../src/host/lane.ts";
import { callOf, laneOver, textOf } from "../helpers/lane.ts";

let lane: Lane;
afterEach(() => lane.close());

test("calls are answered in the order in which they came", async () => {
  lane = laneOver("answer");
  const answered: string[] = [];
  const calls = ["a", "b", "c", "d"].map((text) =>
    lane.call(callOf(text)).then((reply) => answered.push(textOf(reply))),
  );
  await Promise.all(calls);
  expect(answered).toEqual(["a", "b", "c", "d"]);
});

test("a call that never returns is ended by its deadline, its neighbours answer, and the next call works", async () => {
  lane = laneOver("spin");
  const started = performance.now();
  const spinning = lane.call(callOf("spin", { deadlineMs: 1_000 }));
  const neighbour = lane.call(callOf("neighbour"));
  await expect(spinning).rejects.toMatchObject({ code: "deadline" });
  expect(performance.now() - started).toBeLessThan(1_500);
  expect(textOf(await neighbour)).toBe("neighbour");
  expect(textOf(await lane.call(callOf("next")))).toBe("next");
});

test("a cancelled call is settled at once, and the next call works", async () => {
  lane = laneOver("spin");
  await lane.call(callOf("warm"));
  const cancel = new AbortController();
  const spinning = lane.call(callOf("spin", { signal: cancel.signal }));
  setImmediate(() => cancel.abort());
  await expect(spinning).rejects.toMatchObject({ code: "cancelled" });
  expect(textOf(await lane.call(callOf("next")))).toBe("next");
});

test("Python that stops when it is asked to keeps its sandbox, and what it has learnt", async () => {
  let started = 0;
  const soft = laneOver("soft");
  lane = soft;
  const cancel = new AbortController();
  const long = soft.call(
    callOf("long", {
      signal: cancel.signal,
      request: () => {
        started++;
        setImmediate(() => cancel.abort());
        return "long";
      },
    }),
  );
  await expect(long).rejects.toMatchObject({ code: "cancelled" });
  expect(textOf(await soft.call(callOf("next")))).toBe("next");
  expect(started).toBe(1);
});

test("a sandbox that a request left nothing in answers the next one; one that it left something in is replaced", async () => {
  lane = laneOver("counts");
  const answers: string[] = [];
  for (const text of ["a", "b", "leave", "c", "d"]) answers.push(textOf(await lane.call(callOf(text))));
  expect(answers).toEqual(["1", "2", "3", "1", "2"]);
});

test("an answer does not wait for the look at what its request left, even where that look never ends", async () => {
  lane = laneOver("counts");
  expect(textOf(await lane.call(callOf("hang")))).toBe("1");
  expect(textOf(await lane.call(callOf("next")))).toBe("1");
});

test("a call cancelled before it began, or while it waited, never reaches the sandbox", async () => {
  lane = laneOver("spin");
  let reached = 0;
  const counted = (signal: AbortSignal) =>
    callOf("never", {
      signal,
      request: () => {
        reached++;
        return "never";
      },
    });
  await expect(lane.call(counted(AbortSignal.abort()))).rejects.toMatchObject({ code: "cancelled" });
  const cancel = new AbortController();
  const first = lane.call(callOf("spin", { deadlineMs: 1_000 }));
  const waiting = lane.call(counted(cancel.signal));
  cancel.abort();
  await expect(waiting).rejects.toMatchObject({ code: "cancelled" });
  await expect(first).rejects.toMatchObject({ code: "deadline" });
  expect(reached).toBe(0);
});

test.each(["exit-mid-call", "throw-mid-call"])("a worker that does %s fails its own call only", async (fixture) => {
  lane = laneOver(fixture);
  await expect(lane.call(callOf("a"))).rejects.toMatchObject({ code: "sandbox-failed" });
  await expect(lane.call(callOf("b"))).rejects.toMatchObject({
    code: "sandbox-failed",
    details: { processStatus: { terminated: false } },
  });
});

test("a worker that does not boot fails the call with its own error, once", async () => {
  lane = laneOver("throw-while-booting");
  await expect(lane.call(callOf("a"))).rejects.toThrow(/does not boot/);
});

test("a worker that never gets ready is ended by the call's deadline", async () => {
  lane = laneOver("never-ready");
  await expect(lane.call(callOf("a", { deadlineMs: 1_000 }))).rejects.toMatchObject({ code: "deadline" });
});

test("the first cause wins: a crash before the deadline is a crash", async () => {
  lane = laneOver("exit-mid-call");
  await expect(lane.call(callOf("a", { deadlineMs: 30_000 }))).rejects.toMatchObject({ code: "sandbox-failed" });
});

test("closing settles what waits and what runs", async () => {
  lane = laneOver("spin");
  const running = lane.call(callOf("spin"));
  const waiting = lane.call(callOf("waiting"));
  const settled = Promise.allSettled([running, waiting]);
  await lane.close();
  for (const outcome of await settled)
    expect(outcome).toMatchObject({ status: "rejected", reason: { code: "cancelled" } });
  await expect(lane.call(callOf("later"))).rejects.toMatchObject({ code: "cancelled" });
});

test("two hundred calls on one signal leave no listener behind", async () => {
  lane = laneOver("answer");
  const { signal } = new AbortController();
  for (let round = 0; round < 200; round++) await lane.call(callOf("a", { signal }));
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});
