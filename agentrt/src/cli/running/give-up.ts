import type { Runtime } from "../../runtime/index.ts";

/** What ends a run: a signal, a root that has given a child up, or a fault that belongs to no agent. */
export type RunEnd =
  | { readonly kind: "fault" }
  | { readonly kind: "signal" }
  | { readonly kind: "degraded"; readonly child: string };

/**
 * Waits until the root of a tree is out of budget: it leaves a child down for good.
 *
 * @param runtime The tree.
 * @param root Name of its root.
 * @returns The child that is down.
 */
export function giveUpOf(runtime: Runtime, root: string): Promise<RunEnd> {
  return new Promise((settle) => {
    runtime.onEvent((event) => {
      if (event.type === "supervisor.exhausted" && event.supervisor === root && !event.isEscalated)
        settle({ kind: "degraded", child: event.child });
    });
  });
}
