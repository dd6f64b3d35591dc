import { walkFiles, type WalkedFile } from "../../files/index.ts";
import { digestOfFiles } from "../../search/index.ts";
import type { CommandContext } from "../command.ts";
import type { Target } from "../paths.ts";
import { narrowerFor, type OpenSearched, type SearchedFiles } from "../query/index.ts";
import { readSettings } from "../settings.ts";

/** The files below a target, as a search sees them. */
export interface SearchedTree {
  readonly files: SearchedFiles;
  /** Tells these files from others. */
  readonly digest: () => string;
  /** The definitions in a file, if the index has them. */
  readonly symbolsOf: OpenSearched["symbolsOf"];
}

/**
 * Makes the tree below a target: from the index, where it has every file that a walk would find; else by a walk, when
 * it is needed.
 *
 * @param options.warnings Remarks of the walk are added here.
 */
export function searchedTree(
  target: Target,
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
  const walk = (): readonly WalkedFile[] => {
    if (walked !== undefined) return walked;
    const found = walkFiles({
      root: target.absolutePath,
      environment: context.environment,
      sizeBytesMax: readSettings(context.environment).fileSizeBytesMax,
    });
    warnings.push(...found.warnings);
    walked = found.files;
    return walked;
  };
  const narrow = narrowerFor(target, context);
  return {
    files: { walk, narrow, filesHolding: (groups) => narrow(walk(), groups) },
    // If no walk was needed, the index found the matches.
    digest: () => (walked === undefined ? opened?.digest() : undefined) ?? digestOfFiles(walk()),
    symbolsOf: () => undefined,
  };
}
