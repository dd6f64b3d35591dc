/** The events of a worker come into the stream of its supervisor in order and once, whatever the link loses; what is gone is counted. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../core/index.ts";
import type { Elsewhere } from "../../runtime/index.ts";
import { SeededRandom } from "../../testing/index.ts";
import { VirtualClock } from "../../testing/virtual-clock.ts";
import { Observer } from "../observing/index.ts";
import type { RuntimeControl } from "../runtime-view.ts";
import { pageRoutes } from "../views/index.ts";
import { answerElsewhere, followWorkers } from "./index.ts";

/** A worker with nothing but events, and a supervisor that follows it over a link that can lose any message. */
function connected() {
  const clock = new VirtualClock();
  const there = new Observer({ system: clock, isOneOfMany: true });
  const here = new Observer({ system: clock, isOneOfMany: true });
  const answer = answerElsewhere(pageRoutes({ observer: there } as unknown as RuntimeControl));
  const link = { isLost: (): boolean => false, processId: "p1" as string | undefined };
  let onPresent: (process: string, processId: string) => void = () => undefined;
  const elsewhere: Elsewhere = {
    processOf: () => "back",
    groups: () => ["back"],
    present: () => (link.processId === undefined ? [] : ["back"]),
    awayGroups: () => [],
    processIdOf: () => link.processId,
    onPresent: (callback) => {
      onPresent = callback;
    },
    ask: async (_, question) => {
      if (link.isLost()) throw new Error("the question was lost");
      const said = await answer(JSON.parse(JSON.stringify(question)) as JsonObject);
      if (link.isLost()) throw new Error("the answer was lost");
      return JSON.parse(JSON.stringify(said)) as JsonObject;
    },
  };
  const view = { elsewhere, observer: here } as unknown as RuntimeControl;
  followWorkers(view);
  const published: JsonObject[] = [];
  const publish = here.events.publish.bind(here.events);
  here.events.publish = (item) => {
    published.push(item.body);
    publish(item);
  };
  /** What came into the supervisor's stream, by type. */
  const heard = (type: string): JsonObject[] => published.filter((body) => body["type"] === type);
  return {
    clock,
    there,
    link,
    heard,
    come: (processId: string) => {
      link.processId = processId;
      onPresent("back", processId);
    },
  };
}

const ring = (there: Observer, number: number): void => there.publish("bell", "desk", { number });
const numbersOf = (events: readonly JsonObject[]): unknown[] =>
  events.map((each) => each["number"]);

test("over a link that loses half of the questions and of the answers each event comes once, in order", async () => {
  const { clock, there, link, heard, come } = connected();
  const random = new SeededRandom(11);
  link.isLost = () => random.next() < 0.5;
  come("p1");
  for (let number = 0; number < 1500; number += 1) {
    ring(there, number);
    if (random.next() < 0.05) await clock.advance(random.below(3000));
  }
  await clock.advance(60_000);
  const bells = heard("bell");
  assert.deepEqual(
    numbersOf(bells),
    Array.from({ length: 1500 }, (_, number) => number),
  );
  assert.ok(bells.every((each) => each["process_id"] === "back" && each["agent"] === "desk"));
  assert.deepEqual(heard("gap"), []);
});

test("what a worker cannot keep while the link is cut is counted where it is missing", async () => {
  const { clock, there, link, heard, come } = connected();
  come("p1");
  ring(there, -1);
  await clock.advance(1000);
  link.isLost = () => true;
  for (let number = 0; number < 2700; number += 1) ring(there, number);
  await clock.advance(20_000);
  link.isLost = () => false;
  await clock.advance(20_000);
  // The question that was under way when the link was cut has the first ones in its answer.
  const [gap, ...others] = heard("gap");
  assert.deepEqual([others.length, gap?.["process_id"]], [0, "back"]);
  const numbers = numbersOf(heard("bell"));
  assert.equal(Number(gap?.["missed"]) + numbers.length - 1, 2700);
  assert.equal(numbers.at(-1), 2699);
});

test("the next supervisor goes on where the last one was, and a worker that is gone is asked no more", async () => {
  const { clock, there, link, heard, come } = connected();
  come("p1");
  for (let number = 0; number < 10; number += 1) ring(there, number);
  await clock.advance(10_000);
  link.processId = undefined;
  await clock.advance(10_000);
  assert.equal(heard("worker.gone").length, 1);
  for (let number = 10; number < 20; number += 1) ring(there, number);
  await clock.advance(10_000);
  assert.equal(heard("bell").length, 10);
  come("p2");
  await clock.advance(10_000);
  assert.deepEqual(
    numbersOf(heard("bell")),
    Array.from({ length: 20 }, (_, number) => number),
  );
});
