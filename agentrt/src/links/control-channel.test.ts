/** What processes say to each other about themselves. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { TimerWheel } from "../core/index.ts";
import { VirtualClock } from "../testing/virtual-clock.ts";
import { serializerNamed } from "../wire/index.ts";
import { ControlChannel, type ControlChannelInit } from "./control-channel.ts";
import { MemoryBroker } from "./test-support/memory-broker.ts";

test("a question that fails is answered without the secrets that the answering process knows", async () => {
  const key = "round-kettle-2718";
  const system = new VirtualClock();
  const wheel = new TimerWheel(system);
  const broker = new MemoryBroker();
  const open = (name: string, more: Partial<ControlChannelInit> = {}): ControlChannel =>
    new ControlChannel({
      link: broker.linkOf(name),
      serializer: serializerNamed(undefined),
      system,
      wheel,
      ownTopic: name,
      onRefused: (error) => assert.fail(error),
      ...more,
    });
  const asker = open("asker");
  const worker = open("worker", { redactText: (text) => text.replaceAll(key, "***") });
  await asker.start();
  await worker.listen("work", () => {
    throw new Error(`401 for key ${key}`, { cause: new Error(`refused ${key}`) });
  });
  const asked = asker.ask("work", { type: "start", payload: {} }, 1000);
  await assert.rejects(asked, (error: Error) => {
    const { message, cause, stack } = error;
    assert.deepEqual([message, (cause as Error).message], ["401 for key ***", "refused ***"]);
    assert.ok(!String(stack).includes(key));
    return true;
  });
});
