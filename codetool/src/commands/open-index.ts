import { dirname } from "node:path";
import { findIndexRoot, openCorpus, type OpenCorpus } from "../store/index.ts";
import type { CommandContext } from "./command.ts";
import type { Target } from "./paths.ts";
import { readSettings } from "./settings.ts";

/**
 * Opens the index at or above a target, as the tree is now.
 *
 * @returns It, to be disposed of, and the folder that it covers; `undefined` where there is none.
 */
export async function openIndexOf(
  target: Target,
  context: CommandContext,
): Promise<{ readonly root: string; readonly open: OpenCorpus } | undefined> {
  const folder = target.isDirectory ? target.absolutePath : dirname(target.absolutePath);
  const root = findIndexRoot(folder);
  if (root === undefined) return undefined;
  const open = await openCorpus({
    root,
    environment: context.environment,
    fileSizeBytesMax: readSettings(context.environment).fileSizeBytesMax,
  });
  return open === undefined ? undefined : { root, open };
}
