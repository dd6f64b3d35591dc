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

for (const [title, answers, wanted] of [
  ["nobody has it", { one: 404, two: 404 }, [404, "crash 'x-c9' not found"]],
  ["one does not answer", { one: 503, two: 404 }, [503, "one"]],
  ["the one after it has it", { one: 503, two: 200 }, [200, undefined]],
] as const)
  test(`a crash of an earlier run that the tree does not know: ${title}`, async () => {
    const control = {
      crashRecord: () => undefined,
      observer: {
        redactor: { text: (text: string) => text },
        crashes: { isOwn: () => false, find: () => undefined },
      },
    } as unknown as RuntimeControl;
    const elsewhere = {
      processOf: () => undefined,
      groups: () => ["one", "two"],
      present: () => ["one", "two"],
      awayGroups: () => [],
      processIdOf: () => "p1",
      onPresent: () => undefined,
      ask: async (process: string) => {
        const status = answers[process as "one" | "two"];
        return { status, body: status === 200 ? { id: "x-c9" } : { error: process } };
      },
    };
    const route = agentRoutes(control, { processId: "control" }).find(
      ({ path }) => path === "/crashes/{id}",
    );
    assert.ok(route !== undefined);
    const { status, body } = await askElsewhere(
      route,
      () => elsewhere,
    )({
      pathParams: { id: "x-c9" },
      queryParams: {},
      body: {},
      auth: undefined,
      requestId: "r",
    });
    assert.deepEqual([status, (body as { error?: string }).error], wanted);
  });
