/** What is lost while a connection is cut fails soon after; what is worked on goes on. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Agent, child, type JsonObject } from "../core/index.ts";
import { MemoryProcesses } from "./test-support/memory-processes.ts";

/** Settles what an agent of the worker waits for, by the name of the question. */
const gates = new Map<string, () => void>();
const begun: string[] = [];

class Desk extends Agent {
  override async handle({ payload }: { readonly payload: JsonObject }): Promise<JsonObject> {
    const { name } = payload as { readonly name: string };
    begun.push(name);
    await new Promise<void>((resolve) => void gates.set(name, resolve));
    return { name };
  }
}

async function start() {
  begun.length = 0;
  const processes = new MemoryProcesses();
  const { clock, broker } = processes;
  const limits = { concurrency: 100 };
  const root = processes.supervisor("supervisor", {
    children: [child(Desk, "desk", { process: "back", ...limits })],
  });
  const back = processes.worker("back", [child(Desk, "desk", limits)]);
  const [runtime, worker] = [root.runtime, back.runtime];
  await processes.start(root, back);
  const ended: string[] = [];
  const ask = (name: string): void => {
    runtime.call("desk", { name }, { timeoutMs: Number.POSITIVE_INFINITY }).then(
      () => ended.push(`${name} answered`),
      (error: unknown) => ended.push(`${name} ${(error as { readonly code: string }).code}`),
    );
  };
  const stop = async (): Promise<void> => {
    const stopped = Promise.all([worker.stop({ timeoutMs: 0 }), runtime.stop({ timeoutMs: 0 })]);
    await clock.advance(60_000);
    await stopped;
  };
  return { clock, broker, ask, ended, stop };
}

for (const cut of ["supervisor", "back"])
  test(`${cut} is cut off: a lost answer is an error within a second of its return, and what is worked on is answered`, async () => {
    const { clock, broker, ask, ended, stop } = await start();
    for (const name of ["lost", "kept"]) ask(name);
    await clock.advance(10);
    assert.deepEqual(begun, ["lost", "kept"]);
    broker.cut(cut);
    gates.get("lost")?.();
    await clock.advance(100);
    broker.mend(cut);
    await clock.advance(1000);
    assert.deepEqual(ended, ["lost AGENTRT_LINK_CUT"]);
    gates.get("kept")?.();
    ask("next");
    await clock.advance(10);
    gates.get("next")?.();
    await clock.advance(10);
    assert.deepEqual(ended, ["lost AGENTRT_LINK_CUT", "kept answered", "next answered"]);
    await stop();
  });

test("a question that was lost on its way to a process that was cut off is an error within a second of its return", async () => {
  const { clock, broker, ask, ended, stop } = await start();
  broker.cut("back");
  for (let index = 0; index < 1200; index += 1) ask(`lost-${index}`);
  await clock.advance(100);
  assert.deepEqual([begun, ended], [[], []]);
  broker.mend("back");
  await clock.advance(1000);
  assert.equal(ended.length, 1200);
  assert.equal(ended.at(-1), "lost-1199 AGENTRT_LINK_CUT");
  await stop();
});

for (const silent of ["supervisor", "back"])
  test(`a message of ${silent} is lost though no connection was cut: its call is an error within ten seconds, and what is worked on is answered`, async () => {
    const { clock, broker, ask, ended, stop } = await start();
    ask("kept");
    if (silent === "back") ask("lost");
    await clock.advance(10);
    broker.silent.add(silent);
    if (silent === "back") gates.get("lost")?.();
    else ask("lost");
    await clock.advance(10);
    broker.silent.delete(silent);
    assert.deepEqual(begun, silent === "back" ? ["kept", "lost"] : ["kept"]);
    await clock.advance(10_000);
    assert.deepEqual(ended, ["lost AGENTRT_LINK_CUT"]);
    await clock.advance(3_600_000);
    gates.get("kept")?.();
    await clock.advance(10);
    assert.deepEqual(ended, ["lost AGENTRT_LINK_CUT", "kept answered"]);
    await stop();
  });
