/** A tree that many look at is written once a second; who asks without `since` gets that of the moment. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Agent, child, supervisor } from "../core/index.ts";
import { Simulation } from "../testing/index.ts";
import { Observer } from "./observing/index.ts";
import { topologyAnswer } from "./topology-route.ts";

class Desk extends Agent {
  override async handle() {
    return {};
  }
}

test("those who ask what has changed get the same tree for a second, and nothing where nothing has", async () => {
  const simulation = new Simulation({
    supervision: supervisor("root", { children: [child(Desk, "desk")] }),
  });
  const { runtime } = simulation;
  const observer = new Observer({ system: runtime.system });
  observer.watch(runtime);
  await simulation.start();
  const answer = topologyAnswer(
    { observer, circuits: () => runtime.circuits(), tree: () => runtime.tree() },
    "topo",
  );
  const ask = async (since?: string) => {
    const { status, text } = await answer({
      queryParams: since === undefined ? {} : { since },
    });
    const { revision = "", children = [] } = JSON.parse(text ?? "{}") as {
      readonly revision?: string;
      readonly children?: readonly { readonly status: string }[];
    };
    return { status, revision, desk: children[0]?.status };
  };
  const steer = async (begun: Promise<void>): Promise<void> => {
    await simulation.runUntilIdle();
    await begun;
  };
  const first = await ask();
  assert.deepEqual([first.status, first.desk], [200, "RUNNING"]);
  assert.equal((await ask(first.revision)).status, 204);
  await steer(runtime.suspend("desk", { reason: "a look", initiatedBy: "ada" }));
  const second = await ask(first.revision);
  assert.equal(second.desk, "SUSPENDED");
  await steer(runtime.resume("desk", { approver: "ada" }));
  // Another one who has the first: it is told what was written for the one before it, and all at its next question.
  assert.deepEqual(await ask(first.revision), second);
  assert.equal((await ask(second.revision)).desk, "RUNNING");
  await steer(runtime.suspend("desk", { reason: "a look", initiatedBy: "ada" }));
  assert.equal((await ask()).desk, "SUSPENDED");
  await steer(runtime.resume("desk", { approver: "ada" }));
  await simulation.advance(1000);
  assert.equal((await ask(first.revision)).desk, "RUNNING");
});
