import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { findWorkTree, listChangedPaths, parseRevision } from "../../git/index.ts";
import type { CommandContext } from "../command.ts";
import type { Target } from "../paths.ts";
import type { ProjectCorpus } from "../project/index.ts";

/**
 * The files of a project with changes that are not committed, untracked ones too, by their numbers.
 *
 * @returns None outside of a git work tree, and where git does not answer: it only decides what comes first.
 */
export async function uncommittedFiles(
  target: Target,
  project: ProjectCorpus,
  { environment, log }: CommandContext,
): Promise<ReadonlySet<number>> {
  const folder = target.isDirectory ? target.absolutePath : dirname(target.absolutePath);
  const tree = findWorkTree(folder, environment);
  const numbers = new Set<number>();
  if (tree === undefined) return numbers;
  try {
    const { committed, untracked } = await listChangedPaths(tree, parseRevision("HEAD"));
    const root = realpathSync(project.root);
    const isBelowLink = root !== project.root;
    for (const path of [...committed, ...untracked]) {
      const absolutePath = join(tree.root, path.toString("utf8"));
      const named = isBelowLink ? absolutePath.replace(root, project.root) : absolutePath;
      const number = project.numberAt(named);
      if (number !== undefined) numbers.add(number);
    }
  } catch (error) {
    // No git, or no commit yet.
    log?.("debug", error instanceof Error ? error.message : String(error));
  }
  return numbers;
}
