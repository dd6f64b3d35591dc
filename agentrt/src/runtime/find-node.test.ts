/** One node is found as it is in the picture of the whole tree, and counters of a few as those among all. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Agent,
  child,
  createTextLog,
  dynamicSupervisor,
  keyed,
  pool,
  supervisor,
  type TreeNode,
} from "../core/index.ts";
import { Runtime } from "./index.ts";

class Desk extends Agent {
  override async handle() {
    return {};
  }
}

interface Placed {
  readonly node: TreeNode;
  readonly above: readonly string[];
}

function* placed(node: TreeNode, above: readonly string[] = []): Generator<Placed> {
  yield { node, above };
  if (node.kind === "supervisor")
    for (const each of node.children) yield* placed(each, [...above, node.name]);
}

/** A node without what time changes. */
function still(found: Placed | undefined): unknown {
  const text = JSON.stringify(found, (name, value: unknown) =>
    /uptimeMs|DurationMs/.test(name) ? 0 : value,
  );
  return JSON.parse(text);
}

test("a node that is asked for by name is that of the whole tree, and so are its counters", async () => {
  await using runtime = new Runtime({
    log: createTextLog({ write: () => undefined }),
    supervision: supervisor("root", {
      children: [
        supervisor("group", {
          children: [child(Desk, "one"), pool(Desk, "desks", { size: 2 })],
        }),
        dynamicSupervisor("guests"),
        keyed(Desk, "ticket", { key: "id" }),
      ],
    }),
  });
  await runtime.start();
  await runtime.spawn(Desk, "guest");
  await runtime.call("one", {});
  await runtime.call("desks", {});
  await runtime.call("ticket", { id: "7" });
  const all = [...placed(runtime.tree())];
  assert.deepEqual(
    all.map(({ node }) => node.name),
    ["root", "group", "one", "desks", "desks/1", "desks/2", "guests", "guest", "ticket"],
  );
  for (const each of all) assert.deepEqual(still(runtime.findNode(each.node.name)), still(each));
  assert.equal(runtime.findNode("ticket/7"), undefined);
  assert.equal(runtime.findNode("nobody"), undefined);
  const { agents, totalMessages } = runtime.snapshot();
  const few = runtime.snapshot(["ticket", "one", "root", "nobody"]);
  assert.deepEqual({ ...few.agents }, { one: agents["one"], ticket: agents["ticket"] });
  assert.deepEqual([few.totalMessages, totalMessages], [3, 3]);
});
