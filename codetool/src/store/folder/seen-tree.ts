import {
  type FileStamp,
  languageOfPath,
  type SeenFile,
  stampOf,
  statAt,
  type WalkedFile,
  type WalkedFolder,
  walkFiles,
} from "../../files/index.ts";
import { certainStamp } from "../segment/index.ts";
import { anyFolderChanged, changedFiles, stampedFolders } from "./changed-files.ts";
import type { KnownTree } from "./known-tree.ts";
import { pathsBelow } from "./paths-below.ts";
import {
  areRulesCertain,
  haveRulesChanged,
  type RuledTree,
  rulesOf,
  uncertainRulesOf,
} from "./tree-rules.ts";

/** A tree as it is now. */
export interface SeenTree {
  /** In the byte order of their paths. */
  readonly files: readonly (WalkedFile & FileStamp)[];
  /** Their stamps as they are kept. */
  readonly folders: readonly WalkedFolder[];
  /** Relative paths of files that are too large. */
  readonly leftOut: readonly string[];
  /** See `rulesOf`. */
  readonly rules: string;
  readonly warnings: readonly string[];
}

/** Where to look. */
export interface SeeTreeOptions extends RuledTree {
  readonly fileSizeBytesMax: number;
  /** The time, milliseconds since the Unix epoch. */
  readonly nowMs: () => number;
}

/** Walks a tree. */
export function walkTree(options: SeeTreeOptions): SeenTree {
  const { root, environment, fileSizeBytesMax, nowMs } = options;
  const seenMs = nowMs();
  const folders: WalkedFolder[] = [];
  const ruleFiles: string[] = [];
  const { files, leftOut, warnings } = walkFiles({
    root,
    environment,
    sizeBytesMax: fileSizeBytesMax,
    onFolder: (folder) => void folders.push(certainStamp(folder, nowMs())),
    onRules: (path) => void ruleFiles.push(path),
  });
  // A folder that could not be listed may be readable by the next run, without another stamp.
  const rules =
    warnings.length > 0 ? uncertainRulesOf(options) : rulesOf(options, ruleFiles, seenMs);
  return {
    files,
    folders,
    leftOut: leftOut.map(({ relativePath }) => relativePath),
    rules,
    warnings,
  };
}

/**
 * Looks at a tree that is known, without a walk: where no folder and no rule changed, a walk lists the files that are
 * known. The time of a look at each file.
 *
 * @returns `undefined` where a walk may find other files.
 */
export function seeKnownTree(options: SeeTreeOptions, tree: KnownTree): SeenTree | undefined {
  const { root, fileSizeBytesMax, nowMs } = options;
  const { state } = tree;
  if (state === undefined || !areRulesCertain(state.rules)) return undefined;
  if (anyFolderChanged(root, stampedFolders(state))) return undefined;
  if (haveRulesChanged(options, state.rules, nowMs())) return undefined;
  const absolute = pathsBelow(root);
  const isTooLarge = (path: string): boolean => {
    const stat = statAt(absolute(path));
    return stat?.isFile() === true && stat.size > fileSizeBytesMax;
  };
  if (!state.leftOut.every(isTooLarge)) return undefined;
  const known = tree.stampedFiles();
  const now = new Map<number, FileStamp>();
  for (const number of changedFiles(root, known).changed) {
    const stat = statAt(absolute((tree.files[number] as { readonly path: string }).path));
    if (stat?.isFile() !== true || stat.size > fileSizeBytesMax) return undefined;
    now.set(number, stampOf(stat));
  }
  const files = tree.files.map(
    ({ path }, place) =>
      new KnownSeenFile(absolute, path, now.get(place) ?? (tree.stampOf(place) as FileStamp)),
  );
  const { folders, leftOut, rules } = state;
  return { files, folders, leftOut, rules, warnings: [] };
}

/** A file that was seen where the index knows it: what only a change asks for is made when it is asked for. */
class KnownSeenFile implements Omit<SeenFile, "linkCount"> {
  readonly #absolute: (path: string) => string;
  readonly relativePath: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  readonly changedMs: number;
  readonly inode: number;

  constructor(absolute: (path: string) => string, path: string, stamp: FileStamp) {
    this.#absolute = absolute;
    this.relativePath = path;
    this.sizeBytes = stamp.sizeBytes;
    this.modifiedMs = stamp.modifiedMs;
    this.changedMs = stamp.changedMs;
    this.inode = stamp.inode;
  }

  get absolutePath(): string {
    return this.#absolute(this.relativePath);
  }

  get language(): string | null {
    return languageOfPath(this.relativePath);
  }
}
