import assert from "node:assert/strict";
import { test } from "node:test";
import type { RuntimeControl } from "../runtime-view.ts";
import { agentRoutes } from "../agent-routes.ts";
import { askElsewhere } from "./index.ts";

test("the state of an agent of another process is shown without what the topology server hides", async () => {
  const control = {
    agentState: () => assert.fail("it is not here"),
    observer: { redactor: { text: (text: string) => text } },
  } as unknown as RuntimeControl;
  const elsewhere = {
    processOf: () => "back",
    groups: () => ["back"],
    present: () => ["back"],
    awayGroups: () => [],
    processIdOf: () => "p1",
    onPresent: () => undefined,
    ask: async () => ({ status: 200, body: { agent: "desk", state: { card: "4711", n: 1 } } }),
  };
  const route = agentRoutes(control, { processId: "control", redact: ["card"] }).find(
    ({ path }) => path === "/agents/{name}/state",
  );
  assert.ok(route !== undefined);
  const answer = await askElsewhere(
    route,
    () => elsewhere,
  )({
    pathParams: { name: "desk" },
    queryParams: {},
    body: {},
    auth: undefined,
    requestId: "r",
  });
  assert.deepEqual(answer.body, { agent: "desk", state: { card: "***", n: 1 } });
});
