import { isSupervisorNode, type TopologyNode, walkTree } from "../model/index.ts";
import type { ProblemLog } from "../source/index.ts";

/**
 * Notes that what is spent of a budget is forgotten with the process, where no state store keeps it.
 *
 * @param root The tree.
 * @param log Takes the note, of the first budget of the file.
 */
export function noteBudgets(root: TopologyNode, log: ProblemLog): void {
  for (const node of walkTree(root)) {
    const budget = isSupervisorNode(node) ? node.budget : node.declared["budget"];
    if (budget === undefined) continue;
    log.note({
      check: "values",
      path: `${node.path}.budget`,
      ...node.at,
      message:
        "without plugins.state what is spent is forgotten with the process: each start begins with a full budget",
    });
    return;
  }
}
