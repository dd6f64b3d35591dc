import { dirname, join } from "node:path";
import { type GitEnvironment, globalExcludesOf, infoExcludeOf } from "./git-excludes.ts";
import { ignoreFileAt } from "./ignore-scope.ts";
import { findGitRoot } from "./project-root.ts";

/**
 * The texts of all ignore rules that count for a walk from a folder and lie outside of what it lists: those of the user, of
 * the repository, and of the folders above. While they and the ignore files inside are the same, so is the list.
 *
 * @param root Absolute path of the folder.
 * @param environment Variables that lead to the user's own git ignore file.
 */
export function outsideRules(root: string, environment: GitEnvironment): string {
  const gitRoot = findGitRoot(root);
  const texts = [gitRoot ?? "", globalExcludesOf(gitRoot, environment)];
  if (gitRoot !== undefined) {
    texts.push(infoExcludeOf(gitRoot));
    for (let folder = root; folder !== gitRoot;) {
      folder = dirname(folder);
      texts.push(ignoreFileAt(join(folder, ".gitignore")));
      texts.push(ignoreFileAt(join(folder, ".codetoolignore")));
    }
  }
  return JSON.stringify(texts);
}
