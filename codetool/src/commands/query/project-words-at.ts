import { join } from "node:path";
import { findGitCommonDirectory, findGitRoot, readSmallFile } from "../../files/index.ts";
import { projectWordsOf } from "../../search/index.ts";
import type { Target } from "../paths.ts";

/** The words that name the project of a target: by its folder, and by the address it is fetched from. */
export function projectWordsAt(target: Target): ReadonlySet<string> {
  const { root } = target;
  const names = [root.split(/[\\/]/).at(-1) ?? ""];
  const gitRoot = findGitRoot(root);
  const folder = gitRoot === undefined ? undefined : findGitCommonDirectory(gitRoot);
  const config = folder === undefined ? undefined : readSmallFile(join(folder, "config"));
  const address = /^\s*url\s*=\s*(\S+?)\/?\s*$/m.exec(config ?? "")?.[1];
  if (address !== undefined) names.push(address);
  return projectWordsOf(names);
}
