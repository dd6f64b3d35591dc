import assert from "node:assert/strict";
import { test } from "node:test";
import { supervisionErrors } from "../../core/index.ts";
import type { RuntimeControl } from "../runtime-view.ts";
import type { KeysBody } from "../wire.ts";
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

for (const [title, answers, wanted] of [
  ["one has keys, one does not answer", { one: 200, two: 503 }, [200, ["a"], "two"]],
  ["none answers", { one: 503, two: 504 }, [503, undefined, undefined]],
  ["none has that agent", { one: 404, two: 404 }, [404, undefined, undefined]],
  ["another group does not answer", { one: 200, two: 404, other: 503 }, [200, ["a"], undefined]],
] as const)
  test(`keys at workers: ${title}`, async () => {
    const elsewhere = {
      processOf: (name: string) => (name === "ticket/" ? "back/1" : undefined),
      groups: () => ["back/1", "back/2", "other"],
      present: () => ["back/1", "back/2", "other"],
      awayGroups: () => [],
      processIdOf: () => "p1",
      onPresent: () => undefined,
      ask: async (process: string) => {
        const label = { "back/1": "one", "back/2": "two" }[process] ?? "other";
        const status = (answers as { readonly [label: string]: number })[label] ?? 404;
        const keys = { agent: "ticket", keys: [{ key: "a" }], next: null };
        return { status, body: status === 200 ? keys : { error: label } };
      },
    };
    const control = {
      elsewhere,
      keys: (name: string) => {
        throw new supervisionErrors.UNKNOWN_NAME({ name });
      },
      observer: {},
    } as unknown as RuntimeControl;
    const route = agentRoutes(control, { processId: "control" }).find(
      ({ path }) => path === "/agents/{name}/keys",
    );
    assert.ok(route !== undefined);
    const { status, body } = await askElsewhere(
      route,
      () => elsewhere,
    )({
      pathParams: { name: "ticket" },
      queryParams: {},
      body: {},
      auth: undefined,
      requestId: "r",
    });
    const { keys, unread } = body as unknown as Partial<KeysBody>;
    assert.deepEqual([status, keys?.map(({ key }) => key), unread?.[0]?.reason], wanted);
  });
