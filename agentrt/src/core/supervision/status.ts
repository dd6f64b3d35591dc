import type { JsonObject } from "../values/index.ts";
import type { SupervisorNode } from "../tree/index.ts";

/** The message type by which a supervisor is asked how it is. */
export const supervisionStatusType = "agentrt.supervision.status";

/**
 * Makes a supervisor's answer to `agentrt.supervision.status`.
 *
 * @param node The supervisor.
 * @returns Its limits, the crashes that count now, and its direct children.
 */
export function supervisionStatus(node: SupervisorNode): JsonObject {
  return {
    name: node.name,
    strategy: node.strategy,
    max_restarts: node.restartCountMax,
    restart_window: node.restartWindowMs / 1000,
    crashes_in_window: node.crashesInWindow,
    children: node.children.map((child) => ({
      name: child.name,
      kind: child.kind,
      status: child.status,
      restart_count: child.restartCount,
    })),
  };
}
