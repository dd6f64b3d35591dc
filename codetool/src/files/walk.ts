import { accessSync, constants, lstatSync, readdirSync, statSync, type Dirent } from "node:fs";
import { relative, sep } from "node:path";
import { thisProcess } from "../system/index.ts";
import { compareBytes } from "../text/index.ts";
import type { GitEnvironment } from "./git-excludes.ts";
import { IgnoreScope, ruleFileNames } from "./ignore-scope.ts";
import { languageOfPath } from "./languages.ts";
import { findGitRoot } from "./project-root.ts";
import { editFolderName, finishInterrupted } from "./replace/index.ts";
import { stampOf } from "./file-stamp.ts";
import type { SeenFile } from "./walked-file.ts";

/** Where to walk. */
export interface VisitOptions {
  /** Absolute path of a folder. */
  readonly root: string;
  /** Variables that lead to the user's own git ignore file. */
  readonly environment: GitEnvironment;
  /** Most names in a relative path: 1 lists only the files of the root; default without bound. */
  readonly depthMax?: number;
  /** The walk ends, with a warning, after so many files; default 1,000,000. */
  readonly fileCountMax?: number;
  /** Told of each folder that is entered, before it is listed. */
  readonly onFolder?: (folder: WalkedFolder) => void;
  /** Told of each entry that makes the walk list other files or do other things; the path is relative to the root. */
  readonly onRules?: (relativePath: string) => void;
}

/** What to walk: a folder, or one file, which is then listed whatever the ignore rules say. */
export interface WalkOptions extends VisitOptions {
  /** Larger files are listed apart. */
  readonly sizeBytesMax: number;
}

/** A folder that a walk entered. */
export interface WalkedFolder {
  /** Relative to the walk's root, with forward slashes; empty for the root. */
  readonly relativePath: string;
  /** When an entry of it came or went last, milliseconds since the Unix epoch; anybody may set it. */
  readonly modifiedMs: number;
  /** When that or its name or mode changed last; set only by the system. */
  readonly changedMs: number;
  readonly inode: number;
}

/** What a walk found, sorted by the bytes of the relative paths. */
export interface WalkResult {
  readonly files: readonly SeenFile[];
  /** Files that are larger than `sizeBytesMax`, in the same order. */
  readonly leftOut: readonly SeenFile[];
  /** Folders that could not be read, and a walk that ended early. */
  readonly warnings: readonly string[];
}

const fileCountMaxDefault = 1_000_000;
const warningCountMax = 20;
/** Never entered: git's own store and ours, and what edits keep until they are done. */
const neverEntered: ReadonlySet<string> = new Set([".git", ".codetool", editFolderName]);

interface OpenFolder {
  /** Absolute, with a slash at the end. */
  readonly directory: string;
  /** Relative to the root, with forward slashes and one at the end; empty for the root. */
  readonly prefix: string;
  readonly scope: IgnoreScope;
  readonly entries: readonly Entry[];
  next: number;
}

interface Entry {
  readonly name: string;
  readonly isDirectory: boolean;
}

/** What a listing shows of a folder. */
interface Listing {
  readonly entries: readonly Entry[];
  /** Names with a dot in front, those never entered included: a folder's ignore files and its `.git` are among them. */
  readonly names: ReadonlySet<string>;
}

/**
 * Lists the files below a folder.
 *
 * Ignored by `.gitignore` (in every folder up to the root of the git work tree, and outside of a work tree from the
 * root of the walk on), `.git/info/exclude`, the user's own git ignore file, and `.codetoolignore`, which overrules
 * them. Hidden files are listed. Links are not followed, and what is neither file nor folder is left out unopened. A
 * folder that is itself a git repository is walked under its own rules, and so is a root that is ignored itself.
 *
 * Binary files are listed: telling them takes their content.
 */
export function walkFiles(options: WalkOptions): WalkResult {
  const rootStat = statSync(options.root, { throwIfNoEntry: false });
  if (rootStat === undefined) return { files: [], leftOut: [], warnings: [] };
  if (!rootStat.isDirectory()) {
    const file = seenFile(options.root, options.root.split(sep).at(-1) ?? "");
    return { files: file === undefined ? [] : [file], leftOut: [], warnings: [] };
  }
  const files: SeenFile[] = [];
  const leftOut: SeenFile[] = [];
  const warnings = visitFiles(options, (name, { directory, prefix }) => {
    const file = seenFile(directory + name, prefix + name);
    if (file === undefined) return false;
    const isTaken = file.sizeBytes <= options.sizeBytesMax;
    (isTaken ? files : leftOut).push(file);
    return isTaken;
  });
  return { files, leftOut, warnings };
}

/** Takes a file, or leaves it. */
export type VisitFile = (
  name: string,
  folder: {
    /** Absolute, with a slash at the end. */
    readonly directory: string;
    /** Relative to the root, with forward slashes and one at the end; empty for the root. */
    readonly prefix: string;
  },
) => boolean;

/**
 * Visits the files below a folder that no rule leaves out, in the byte order of their paths, without a look at them.
 *
 * @param visit Says whether it took the file: one that is gone, too large, or has a name that leads nowhere, it leaves.
 * @returns Folders that could not be read, and what else is to be reported.
 */
export function visitFiles(options: VisitOptions, visit: VisitFile): string[] {
  const fileCountMax = options.fileCountMax ?? fileCountMaxDefault;
  const warnings = new WarningList();
  const { parts, rootScope } = scopeAbove(options);
  const partsOfRoot = parts.length;
  const depthMax = options.depthMax ?? Infinity;
  const open: OpenFolder[] = [];
  const rootDirectory = options.root.endsWith(sep) ? options.root : `${options.root}${sep}`;
  const enter = (directory: string, prefix: string, scope: IgnoreScope): boolean => {
    // Before the listing: what comes between the two shows as a later change.
    if (options.onFolder !== undefined) tellFolder(options.onFolder, directory, rootDirectory);
    const listing = listFolder(directory, warnings);
    if (listing === undefined) return false;
    if (options.onRules !== undefined) tellRules(options.onRules, prefix, listing.names);
    const own = scope.enter(directory, { offset: parts.length, names: listing.names });
    open.push({ directory, prefix, scope: own, entries: listing.entries, next: 0 });
    return true;
  };
  const unnameable = new UnnameableFiles();
  let takenCount = 0;
  enter(rootDirectory, "", rootScope);
  for (let folder = open.at(-1); folder !== undefined; folder = open.at(-1)) {
    const entry = folder.entries[folder.next];
    folder.next += 1;
    if (entry === undefined) {
      open.pop();
      if (open.length > 0) parts.pop();
      continue;
    }
    parts.push(entry.name);
    const depth = parts.length - partsOfRoot;
    const isListed =
      (depth < depthMax || (!entry.isDirectory && depth === depthMax)) &&
      !folder.scope.isIgnored(parts, entry.isDirectory);
    if (isListed && entry.isDirectory) {
      const directory = `${folder.directory}${entry.name}${sep}`;
      if (enter(directory, `${folder.prefix}${entry.name}/`, folder.scope)) continue;
    } else if (isListed) {
      // Of two names that read alike one, at most, is the name of a file; the other is not UTF-8.
      const isTwin = folder.entries[folder.next - 2]?.name === entry.name;
      if (!isTwin && visit(entry.name, folder)) takenCount += 1;
      else if (isTwin || isUnnameable(entry.name, folder.directory))
        unnameable.add(folder.prefix + entry.name);
      if (takenCount >= fileCountMax) {
        warnings.add(`The walk of "${options.root}" ended after ${fileCountMax} files`);
        break;
      }
    }
    parts.pop();
  }
  return [...warnings.list(), ...unnameable.remarks()];
}

/** How many names a warning shows. */
const shownNamesMax = 3;

/** Counts files whose names cannot be written, and keeps the first. */
class UnnameableFiles {
  readonly #shown: string[] = [];
  #count = 0;

  add(path: string): void {
    this.#count += 1;
    if (this.#count <= shownNamesMax) this.#shown.push(`"${path}"`);
  }

  remarks(): string[] {
    if (this.#count === 0) return [];
    const isOne = this.#count === 1;
    const more = this.#count > shownNamesMax ? ", …" : "";
    return [
      `${this.#count} ${isOne ? "file has a name that is" : "files have names that are"} not UTF-8, and cannot be opened: ${this.#shown.join(", ")}${more}`,
    ];
  }
}

/** A name that is not UTF-8 was listed with U+FFFD for its odd bytes, and leads nowhere. */
export function isUnnameable(name: string, directory: string): boolean {
  return (
    name.includes("\uFFFD") && lstatSync(directory + name, { throwIfNoEntry: false }) === undefined
  );
}

function tellRules(
  tell: (relativePath: string) => void,
  prefix: string,
  names: ReadonlySet<string>,
): void {
  if (names.size === 0) return;
  for (const name of [...ruleFileNames, editFolderName]) if (names.has(name)) tell(prefix + name);
}

function tellFolder(
  tell: (folder: WalkedFolder) => void,
  directory: string,
  rootDirectory: string,
): void {
  const stat = statSync(directory, { throwIfNoEntry: false });
  if (stat === undefined) return;
  const relativePath = directory.slice(rootDirectory.length, -1);
  tell({
    relativePath: sep === "/" ? relativePath : relativePath.replaceAll(sep, "/"),
    modifiedMs: stat.mtimeMs,
    changedMs: stat.ctimeMs,
    inode: stat.ino,
  });
}

/**
 * Finds the rules that are above a walk's root. A root that they ignore was named all the same: what is in it is
 * wanted, and rules made for the folders around it, such as `dist/`, say nothing about it.
 */
function scopeAbove({ root, environment }: VisitOptions): {
  /** Names that lead from where the rules begin to the root. */
  readonly parts: string[];
  readonly rootScope: IgnoreScope;
} {
  const gitRoot = findGitRoot(root);
  if (gitRoot !== undefined && gitRoot !== root) {
    const parts = relative(gitRoot, root).split(sep);
    const above = { base: gitRoot, gitRoot, environment };
    const isIgnored = parts.some((_, index) =>
      IgnoreScope.above({ ...above, parts: parts.slice(0, index + 1) }).isIgnored(
        parts.slice(0, index + 1),
        true,
      ),
    );
    if (!isIgnored) return { parts, rootScope: IgnoreScope.above({ ...above, parts }) };
  }
  const rootScope = IgnoreScope.above({
    base: root,
    parts: [],
    gitRoot: gitRoot === root ? gitRoot : undefined,
    environment,
  });
  return { parts: [], rootScope };
}

/** Keeps the first warnings and counts the others. */
class WarningList {
  readonly #kept: string[] = [];
  #droppedCount = 0;

  add(warning: string): void {
    if (this.#kept.length < warningCountMax) this.#kept.push(warning);
    else this.#droppedCount += 1;
  }

  list(): string[] {
    if (this.#droppedCount === 0) return this.#kept;
    return [...this.#kept, `${this.#droppedCount} more folders could not be read`];
  }
}

/** Lists a folder in the byte order of whole paths, in which a folder's name ends with a slash. */
function listFolder(directory: string, warnings: WarningList): Listing | undefined {
  let found: Dirent[];
  try {
    found = readdirSync(directory, { withFileTypes: true });
    // In one that may be listed and not entered, no entry can be looked at.
    accessSync(directory, constants.X_OK);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
    warnings.add(`Cannot list the folder "${directory}": ${code}`);
    return undefined;
  }
  const names = new Set<string>();
  const entries: (Entry & { readonly sortName: string })[] = [];
  for (const dirent of found) {
    const { name } = dirent;
    if (name.startsWith(".")) names.add(name);
    // Before anything of this folder is read: the edit's other folders come later, or were finished already.
    if (name === editFolderName) finishInterrupted(directory, thisProcess());
    if (neverEntered.has(name)) continue;
    const kind = kindOf(dirent, directory + name);
    if (kind === "other") continue;
    const isDirectory = kind === "directory";
    entries.push({ name, isDirectory, sortName: isDirectory ? `${name}/` : name });
  }
  entries.sort((left, right) => compareBytes(left.sortName, right.sortName));
  return { entries, names };
}

function kindOf(dirent: Dirent, path: string): "file" | "directory" | "other" {
  if (dirent.isFile()) return "file";
  if (dirent.isDirectory()) return "directory";
  const isKnown =
    dirent.isSymbolicLink() ||
    dirent.isFIFO() ||
    dirent.isSocket() ||
    dirent.isCharacterDevice() ||
    dirent.isBlockDevice();
  if (isKnown) return "other";
  // Some file systems do not say the kind in the listing.
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() === true) return "file";
  return stat?.isDirectory() === true ? "directory" : "other";
}

function seenFile(absolutePath: string, relativePath: string): SeenFile | undefined {
  // Gone since it was listed, or with a name that is not UTF-8: there is nothing to open.
  const stat = statSync(absolutePath, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isFile()) return undefined;
  return {
    absolutePath,
    relativePath,
    ...stampOf(stat),
    linkCount: stat.nlink,
    language: languageOfPath(relativePath),
  };
}
