/** A supervisor that was cut off while another one took over is not obeyed any more. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Agent, child } from "../core/index.ts";
import { MemoryProcesses } from "./test-support/memory-processes.ts";

class Desk extends Agent {
  override async handle(): Promise<{ served: boolean }> {
    return { served: true };
  }
}

test("a worker obeys the supervisor that leads, and not the one that led before and comes back", async () => {
  const processes = new MemoryProcesses();
  const { clock, broker } = processes;
  const children = [child(Desk, "desk", { process: "back" })];
  const supervisorOf = (name: string, term: number) =>
    processes.supervisor(name, { children }, { term: () => term });
  const [leader, back] = [
    supervisorOf("first", 7),
    processes.worker("back", [child(Desk, "desk")]),
  ];
  const [first, worker] = [leader.runtime, back.runtime];
  await processes.start(leader, back);
  assert.deepEqual(await first.call("desk", {}), { served: true });

  broker.cut("first");
  const other = supervisorOf("second", 8);
  const second = other.runtime;
  await processes.start(other);
  assert.deepEqual(await second.call("desk", {}), { served: true });
  const restartCount = (): number => worker.tree().children[0]?.restartCount ?? -1;
  const before = restartCount();
  broker.mend("first");
  const asked = first.restart("desk").catch(() => undefined);
  await clock.advance(60_000);
  await asked;
  assert.deepEqual(await second.call("desk", {}), { served: true });
  assert.equal(restartCount(), before);

  await processes.stop(second, worker, first);
});
