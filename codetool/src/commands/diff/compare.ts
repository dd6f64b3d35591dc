import { languageOfPath, languageOfShebang, readFileBytes } from "../../files/index.ts";
import {
  compareVersions,
  type FileComparison,
  type FileVersion,
  type Hunk,
  hunksOfBlock,
  readVersion,
} from "../../diffs/index.ts";
import {
  type ChangedFile,
  type FileSide,
  joinBytes,
  readBlobs,
  type WorkTree,
} from "../../git/index.ts";
import { hasSymbols, releaseTrees } from "../../syntax/index.ts";
import { decodeText, isBinary } from "../../text/index.ts";

/** A changed file with what its changes mean. */
export interface ComparedFile {
  readonly change: ChangedFile;
  /** As the answer shows it: the later path, or the earlier of a file that is gone. */
  readonly path: string;
  /** The same, relative to the work tree's root. */
  readonly treePath: string;
  readonly oldPath: string | undefined;
  readonly hunks: readonly Hunk[];
  readonly additions: number;
  readonly deletions: number;
  /** Absent where there is no grammar, and for files too large. */
  readonly comparison: FileComparison | undefined;
}

/** What comparing takes. */
export interface CompareOptions {
  /** Writes a path of git as the answer shows it. */
  readonly shownPathOf: (treePath: string) => string;
  /** Larger versions are not parsed; bytes. */
  readonly fileSizeBytesMax: number;
  /** Remarks on what was left out are added here. */
  readonly warnings: string[];
}

/** Reads both versions of each changed file and finds out to which functions its lines belong. */
export async function compareChanges(
  tree: WorkTree,
  changes: readonly ChangedFile[],
  options: CompareOptions,
): Promise<readonly ComparedFile[]> {
  const wanted = changes.map((change) => ({
    change,
    sides: isCompared(change) ? [change.old, change.new] : [],
  }));
  const ids = wanted.flatMap(({ sides }) => sides.flatMap((side) => side?.blobId ?? []));
  const blobs = readBlobs(tree, { ids, sizeBytesMax: options.fileSizeBytesMax });
  const reader = new VersionReader(tree, blobs, options);
  const compared: ComparedFile[] = [];
  try {
    for (const { change, sides } of wanted) {
      const [old, next] = sides;
      const oldText = await reader.textOf(old);
      const newText = await reader.textOf(next);
      compared.push(compareOne(change, { oldText, newText }, { ...options, reader }));
      await releaseTrees();
    }
  } finally {
    await blobs.return();
  }
  if (reader.failure !== undefined)
    options.warnings.push(`No functions are known: ${reader.failure}`);
  return compared;
}

/** Whether symbols can be found in it: a text in a language that has a grammar. */
function isCompared(change: ChangedFile): boolean {
  if (change.blocks.length === 0 || change.isBinary) return false;
  return [change.old, change.new].every((side) => {
    if (side === undefined) return true;
    // When the name does not show the language, the first line may.
    const language = languageOfPath(side.path);
    return side.mode.startsWith("100") && (language === null || hasSymbols(language));
  });
}

function compareOne(
  change: ChangedFile,
  texts: { readonly oldText: string | undefined; readonly newText: string | undefined },
  options: CompareOptions & { readonly reader: VersionReader },
): ComparedFile {
  const { reader, shownPathOf } = options;
  const treePath = (change.new ?? change.old)?.path ?? "";
  const path = shownPathOf(treePath);
  const hasOtherPath = change.status === "renamed" || change.status === "copied";
  const oldPath =
    hasOtherPath && change.old !== undefined ? shownPathOf(change.old.path) : undefined;
  const old = reader.versionOf(texts.oldText, change.old, shownPathOf(change.old?.path ?? ""));
  const next = reader.versionOf(texts.newText, change.new, path);
  const isOldMissing = change.old !== undefined && old === undefined;
  const isNewMissing = change.new !== undefined && next === undefined;
  const isComparable = (old ?? next) !== undefined && !isOldMissing && !isNewMissing;
  const comparison = isComparable ? compareVersions(old, next) : undefined;
  const successors = comparison?.successors ?? new Map();
  const hunks = change.blocks.flatMap((block) =>
    hunksOfBlock(block, { old, new: next, successors }),
  );
  const count = (side: "oldLines" | "newLines"): number =>
    change.blocks.reduce((sum, block) => sum + block[side].length, 0);
  return {
    change,
    path,
    treePath,
    oldPath,
    hunks,
    additions: count("newLines"),
    deletions: count("oldLines"),
    comparison,
  };
}

/** Reads the versions in the order in which git sends their blobs. */
class VersionReader {
  readonly #tree: WorkTree;
  readonly #blobs: AsyncGenerator<Buffer | undefined, void, undefined>;
  readonly #options: CompareOptions;
  /** Why nothing can be parsed, once a parse has failed. */
  failure: string | undefined;

  constructor(
    tree: WorkTree,
    blobs: AsyncGenerator<Buffer | undefined, void, undefined>,
    options: CompareOptions,
  ) {
    this.#tree = tree;
    this.#blobs = blobs;
    this.#options = options;
  }

  async textOf(side: FileSide | undefined): Promise<string | undefined> {
    if (side === undefined) return undefined;
    const bytes =
      side.blobId === undefined
        ? this.#readWorking(side)
        : ((await this.#blobs.next()).value ?? undefined);
    return bytes === undefined || isBinary(bytes) ? undefined : decodeText(bytes).text;
  }

  versionOf(
    text: string | undefined,
    side: FileSide | undefined,
    path: string,
  ): FileVersion | undefined {
    if (text === undefined || side === undefined || this.failure !== undefined) return undefined;
    const language = languageOfPath(side.path) ?? languageOfShebang(text);
    try {
      return readVersion(text, { path, language });
    } catch (error) {
      this.failure = error instanceof Error ? error.message : "no parser";
      return undefined;
    }
  }

  #readWorking(side: FileSide): Buffer | undefined {
    const path = joinBytes(this.#tree.root, side.pathBytes);
    const sizeBytesMax = this.#options.fileSizeBytesMax;
    const content = readFileBytes(path, { sizeBytesMax });
    return content.kind === "file" ? content.bytes : undefined;
  }
}
