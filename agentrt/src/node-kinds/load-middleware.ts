import type { Middleware, MiddlewareRef } from "../gateway/index.ts";
import type { KindNode } from "../topology/index.ts";
import type { TreeLoader } from "./tree-loader.ts";

/**
 * Makes what loads the functions behind the paths of a node's middleware. Paths of this package stay paths: the gateway
 * makes that middleware at every start.
 *
 * @param node The node.
 * @param loader Loads user code.
 * @returns One entry for each path, in the same order; rejects with AGENTRT_COMPOSITION_CLASS_NOT_LOADED.
 */
export function loadMiddleware(
  node: KindNode,
  loader: TreeLoader,
): (paths: readonly string[]) => Promise<MiddlewareRef[]> {
  return async (paths) => {
    const loaded: MiddlewareRef[] = [];
    for (const path of paths) {
      const isBuiltIn = path.startsWith("agentrt.");
      loaded.push(isBuiltIn ? path : ((await loader.loadFunction(node, path)) as Middleware));
    }
    return loaded;
  };
}
