/**
 * Files: listing them, their languages, and reading their bytes.
 *
 *   root ─ walkFiles ─▶ WalkedFile[] (sorted) ─ readFileBytes ─▶ bytes
 *            │
 *            └ IgnoreScope, one a folder ─ IgnoreRules, one a file ─ Glob, one a line
 *
 *   root ─ listNames ─▶ names (sorted), no file opened
 *
 * In: an absolute path, the environment (for the user's git ignore file) and limits. Out: files in the byte order of
 * their relative paths, so that the same tree gives the same list everywhere; files and folders that cannot be read give
 * warnings, never an exception.
 *
 * There is one way to write, `replace/`: no file is ever half written, and no set of files half done. Every walk leaves out
 * what an edit keeps next to the files until it is done, and finishes what a killed one has left.
 *
 * The ignore rules are git's, matched by our own globs in time proportional to pattern and path. Outside of a git work
 * tree `.gitignore` files count from the walk's root on: a user who unpacks an archive does not want its build
 * folders any more than in a clone. `.codetoolignore` has the same syntax, counts everywhere, and overrules git's.
 *
 * It must not know any command, the envelope, or the syntax of a language beyond its name.
 */
export { expandBraces } from "./braces.ts";
export { classOfPath, type FileClass } from "./file-class.ts";
export { type ChangeWatch, makeChangeWatch } from "./change-watch.ts";
export { compileGlob, type Glob } from "./glob.ts";
export { languageAliases, languageCalled } from "./language-aliases.ts";
export { languageOfFile } from "./language-of-file.ts";
export { languageNames, languageOfPath, languageOfShebang, shebangLanguages } from "./languages.ts";
export { listNames, type NameListing } from "./list-names.ts";
export {
  findGitCommonDirectory,
  findGitRoot,
  findProjectRoot,
  readSmallFile,
} from "./project-root.ts";
export { outsideRules } from "./outside-rules.ts";
export { userRuleVariables } from "./git-excludes.ts";
export { QuickStat } from "./quick-stat.ts";
export { isTextFile, PassingTexts, readFileBytes, readTextBytes } from "./read-file.ts";
export {
  type EditingProcess,
  editFolderName,
  finishInterrupted,
  lockFolders,
  ReplaceError,
  type Replacement,
  syncDirectory,
} from "./replace/index.ts";
export { type FileStamp, isSameStamp, stampOf, statAt } from "./file-stamp.ts";
export type { SeenFile, WalkedFile } from "./walked-file.ts";
export { TreeWatcher, type WatchState } from "./tree-watcher.ts";
export { walkFiles, type WalkedFolder } from "./walk.ts";
