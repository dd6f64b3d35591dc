import { relative, sep } from "node:path";
import { isTextFile, walkFiles, type WalkedFile } from "../../files/index.ts";
import { type Continuation, digestOfContents, digestOfFiles } from "../../search/index.ts";
import type { CommandContext } from "../command.ts";
import {
  type LeftOutFiles,
  narrowerFor,
  type OpenSearched,
  type SearchedFiles,
  type SearchPlace,
} from "../query/index.ts";
import { readSettings } from "../settings.ts";
import { compareBytes } from "../../text/index.ts";
import { knownByWalk } from "./known-by-walk.ts";

/** The files below a target, as a search sees them. */
export interface SearchedTree {
  readonly files: SearchedFiles;
  /** Tells these files from others. */
  readonly digest: () => string;
  /** Tells what they hold from what they held before, also where size and time were kept. */
  readonly contents: () => Pick<Continuation, "contents" | "isOfHashes">;
  /** The files that are not searched, as far as they are known by now. */
  readonly leftOut: () => LeftOutFiles;
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
    const { files: walk, narrow, filesHolding, holdingLike, symbolsOf, leftOut } = opened;
    const contents = (): ReturnType<SearchedTree["contents"]> => ofHashes(opened);
    const { digest } = opened;
    return {
      files: { walk, narrow, filesHolding, holdingLike },
      digest,
      contents,
      symbolsOf,
      leftOut,
    };
  }
  let walked: WalkedPlace | undefined;
  const walk = (): readonly WalkedFile[] => (walked ??= walkPlace(place, context, warnings)).files;
  const narrow = narrowerFor(place.around, context);
  return {
    files: { walk, narrow, filesHolding: (groups) => narrow(walk(), groups) },
    // If no walk was needed, the index found the matches.
    digest: () => (walked === undefined ? opened?.digest() : undefined) ?? digestOfFiles(walk()),
    contents: () =>
      walked === undefined && opened !== undefined
        ? ofHashes(opened)
        : { contents: digestOfContents(knownByWalk(walk())), isOfHashes: false },
    leftOut: () =>
      (walked === undefined ? opened?.leftOut() : undefined) ?? leftOutOf(walked, context),
    symbolsOf: () => undefined,
  };
}

function ofHashes(opened: OpenSearched): ReturnType<SearchedTree["contents"]> {
  return { contents: opened.contents(), isOfHashes: true };
}

/** What a walk of a place found. */
interface WalkedPlace {
  readonly files: readonly WalkedFile[];
  readonly large: readonly WalkedFile[];
}

/** Whether a file is binary shows its content; one whose name shows a language counts as a text. */
function leftOutOf(walked: WalkedPlace | undefined, { environment }: CommandContext): LeftOutFiles {
  const { files, large } = walked ?? { files: [], large: [] };
  const sizeBytesMax = readSettings(environment).fileSizeBytesMax;
  const isBinary = ({ absolutePath, language }: WalkedFile): boolean =>
    language === null && !isTextFile(absolutePath, { sizeBytesMax });
  return {
    large,
    findBinary: (withoutText) =>
      withoutText === undefined
        ? files.filter(isBinary)
        : inPathOrder(withoutText.filter(({ language }) => language === null)),
  };
}

function inPathOrder(files: readonly WalkedFile[]): WalkedFile[] {
  return files.toSorted((one, other) => compareBytes(one.relativePath, other.relativePath));
}

/** The files of a place, their paths relative to the folder around it, in the byte order of these. */
function walkPlace(
  { around, targets, isWanted }: SearchPlace,
  { environment }: CommandContext,
  warnings: string[],
): WalkedPlace {
  const sizeBytesMax = readSettings(environment).fileSizeBytesMax;
  const files = new Map<string, WalkedFile>();
  const large = new Map<string, WalkedFile>();
  for (const { absolutePath: root } of targets) {
    const found = walkFiles({ root, environment, sizeBytesMax });
    warnings.push(...found.warnings);
    if (isWanted === undefined) return { files: found.files, large: found.leftOut };
    for (const file of found.files) if (isWanted(file)) files.set(file.absolutePath, file);
    for (const file of found.leftOut) if (isWanted(file)) large.set(file.absolutePath, file);
  }
  const isOne = targets.length === 1;
  const relativeTo = ({ absolutePath, relativePath }: WalkedFile): string =>
    isOne ? relativePath : relative(around.absolutePath, absolutePath).replaceAll(sep, "/");
  const inOrder = (found: ReadonlyMap<string, WalkedFile>): WalkedFile[] =>
    inPathOrder([...found.values()].map((file) => ({ ...file, relativePath: relativeTo(file) })));
  return { files: inOrder(files), large: inOrder(large) };
}
