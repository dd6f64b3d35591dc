import type { Revision } from "./revision.ts";
import type { WorkTree } from "./work-tree.ts";

/** Tells whether a file or folder was there in a state that is compared, the later one where there are two. */
export async function isPathIn(tree: WorkTree, revision: Revision, path: string): Promise<boolean> {
  const name = revision.kind === "one" ? revision.name : revision.to;
  const answer = await tree.ask(["rev-parse", "--verify", "--quiet", `${name}:${path}`]);
  return answer.kind === "ended" && answer.exitCode === 0;
}
