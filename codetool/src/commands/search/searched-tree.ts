import { relative, sep } from "node:path";
import { walkFiles, type WalkedFile } from "../../files/index.ts";
import { digestOfFiles } from "../../search/index.ts";
import type { CommandContext } from "../command.ts";
import {
  narrowerFor,
  type OpenSearched,
  type SearchedFiles,
  type SearchPlace,
} from "../query/index.ts";
import { readSettings } from "../settings.ts";
import { compareBytes } from "../../text/index.ts";

/** The files below a target, as a search sees them. */
export interface SearchedTree {
  readonly files: SearchedFiles;
  /** Tells these files from others. */
  readonly digest: () => string;
  /** The definitions in a file, if the index has them. */
  readonly symbolsOf: OpenSearched["symbolsOf"];
}

/**
 * Makes the tree of a place: from the index, where it has every file that a walk would find; else by a walk, when
 * it is needed.
 *
 * @param options.warnings Remarks of the walk are added here.
 */
export function searchedTree(
  place: SearchPlace,
  options: {
    readonly opened: OpenSearched | undefined;
    readonly context: CommandContext;
    readonly warnings: string[];
  },
): SearchedTree {
  const { opened, context, warnings } = options;
  if (opened?.isWhole === true) {
    const { files: walk, narrow, filesHolding, digest, symbolsOf } = opened;
    return { files: { walk, narrow, filesHolding }, digest, symbolsOf };
  }
  let walked: readonly WalkedFile[] | undefined;
  const walk = (): readonly WalkedFile[] => (walked ??= walkPlace(place, context, warnings));
  const narrow = narrowerFor(place.around, context);
  return {
    files: { walk, narrow, filesHolding: (groups) => narrow(walk(), groups) },
    // If no walk was needed, the index found the matches.
    digest: () => (walked === undefined ? opened?.digest() : undefined) ?? digestOfFiles(walk()),
    symbolsOf: () => undefined,
  };
}

/** The files of a place, their paths relative to the folder around it, in the byte order of these. */
function walkPlace(
  { around, targets, isWanted }: SearchPlace,
  { environment }: CommandContext,
  warnings: string[],
): readonly WalkedFile[] {
  const sizeBytesMax = readSettings(environment).fileSizeBytesMax;
  const files = new Map<string, WalkedFile>();
  for (const { absolutePath: root } of targets) {
    const found = walkFiles({ root, environment, sizeBytesMax });
    warnings.push(...found.warnings);
    if (isWanted === undefined) return found.files;
    for (const file of found.files) if (isWanted(file)) files.set(file.absolutePath, file);
  }
  const isOne = targets.length === 1;
  const relativeTo = ({ absolutePath, relativePath }: WalkedFile): string =>
    isOne ? relativePath : relative(around.absolutePath, absolutePath).replaceAll(sep, "/");
  return [...files.values()]
    .map((file) => ({ ...file, relativePath: relativeTo(file) }))
    .toSorted((one, other) => compareBytes(one.relativePath, other.relativePath));
}
