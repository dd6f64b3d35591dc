import type { NodeFinding, TreeView } from "../../topology/index.ts";
import { checkRecipient } from "./check-references.ts";

/**
 * Checks whom a WebSocket route talks to: one agent gets notices of connections, and keys are of a keyed one.
 *
 * @param route Of a gateway.
 * @param path Where the settings declare it.
 * @param tree Names and nodes.
 */
export function* checkWebSocketRoute(
  route: {
    readonly agent?: string | undefined;
    readonly capability?: string | undefined;
    readonly notify: boolean;
    readonly key?: string | undefined;
  },
  path: (string | number)[],
  tree: TreeView,
): Generator<NodeFinding> {
  yield* checkRecipient(route, path, tree);
  const { agent, capability, notify, key } = route;
  if (notify && capability !== undefined)
    yield {
      path: [...path, "notify"],
      message:
        "each message goes to any agent with the capability, and notices go to one agent: name it with agent",
    };
  if (key === undefined) return;
  const node = agent === undefined ? undefined : tree.find(agent);
  if (node !== undefined && node.kind !== "keyed")
    yield { path: [...path, "key"], message: `"${agent}" is of kind ${node.kind}, wanted keyed` };
  if (capability !== undefined)
    yield { path: [...path, "key"], message: "a key is of one keyed agent: name it with agent" };
}
