import type { TreeNode } from "../core/index.ts";
import type { SuspensionPorts } from "../gateway/index.ts";
import type { Runtime } from "../runtime/index.ts";

const category = "hitl_approval";

/**
 * Makes what gateways ask about agents that wait for a person.
 *
 * @param running The runtime that they are part of; asked when they ask.
 */
export function watchApprovals(running: () => Runtime): SuspensionPorts {
  return {
    approvals: () => new Map(waitingIn(running().tree())),
    onChange: (listener) =>
      running().onEvent((event) => {
        if (event.type === "agent.resumed") listener(event.name, undefined);
        if (event.type === "agent.suspended" && event.category === category)
          listener(event.name, event.reason);
      }),
  };
}

function* waitingIn(node: TreeNode): Generator<[name: string, reason: string]> {
  const found = node.kind === "agent" ? node.suspension : (node.pool ?? node.keyed)?.suspension;
  if (found?.category === category) yield [node.name, found.reason];
  if (node.kind === "supervisor") for (const child of node.children) yield* waitingIn(child);
}
