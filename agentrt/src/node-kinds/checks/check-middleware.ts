import { didYouMean, nearestName } from "../../core/index.ts";
import { builtInMiddlewarePaths, rateLimitPath } from "../../gateway-settings/index.ts";
import { isSupervisorNode, type NodeFinding, type TreeView } from "../../topology/index.ts";

const rateLimiter = "rate_limiter";

/**
 * Checks a list of middleware paths without loading any: the built-in ones exist, and what they need is in the tree.
 *
 * @param paths As they are in the topology.
 * @param at Where the list is, from the node's settings.
 * @param tree Names and nodes.
 */
export function* checkMiddleware(
  paths: readonly string[],
  at: readonly (string | number)[],
  tree: TreeView,
): Generator<NodeFinding> {
  const known: readonly string[] = builtInMiddlewarePaths;
  for (const [index, path] of paths.entries()) {
    if (path.startsWith("agentrt.") && !known.includes(path)) {
      const nearest = nearestName(path, known);
      yield {
        path: [...at, index],
        message: `there is no built-in middleware "${path}"${didYouMean(path, known)}`,
        ...(nearest === undefined ? {} : { nearest }),
      };
    }
    if (path !== rateLimitPath) continue;
    const limiter = tree.find(rateLimiter);
    if (limiter === undefined || isSupervisorNode(limiter)) {
      yield {
        path: [...at, index],
        message: `rate_limit needs an agent "${rateLimiter}" in the tree: add a gen_server of that name with type agentrt.gateway.ratelimit.RateLimiter`,
      };
    }
  }
}
