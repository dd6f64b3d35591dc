import { dirname } from "node:path";
import type { WalkedFile } from "../../files/index.ts";
import { findIndexRoot, type TextGroup, WordIndex } from "../../store/index.ts";
import type { CommandContext } from "../command.ts";
import type { Target } from "../paths.ts";

/** Reading fewer files than this is faster than opening an index. */
const fileCountMin = 200;

/** Leaves out files that certainly hold none of some groups of texts; the others stay, in the same order. */
export type NarrowFiles = (
  files: readonly WalkedFile[],
  groups: readonly TextGroup[],
) => readonly WalkedFile[];

/** The files to search, without those that certainly hold none of some groups of texts; all of them without groups. */
export type FilesHolding = (groups: readonly TextGroup[]) => readonly WalkedFile[];

/**
 * Makes a function that narrows the files of a search by the index that covers them; without an index all stay.
 *
 * @throws IndexFault, when it is called and the index is damaged.
 */
export function narrowerFor(target: Target, context: CommandContext): NarrowFiles {
  return (files, groups) => {
    if (files.length < fileCountMin || groups.length === 0) return files;
    if (context.isIndexLeftAside === true) return files;
    const folder = target.isDirectory ? target.absolutePath : dirname(target.absolutePath);
    const root = findIndexRoot(folder);
    using words = root === undefined ? undefined : WordIndex.open(root);
    return words?.narrow(files, groups) ?? files;
  };
}
