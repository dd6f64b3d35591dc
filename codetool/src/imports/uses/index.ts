/**
 * Who uses a symbol: the names that a file defines, where its code names them, and which files may mean it.
 *
 * This folder must not know: how an import is resolved, indexes.
 */
export {
  type CodeWord,
  type CodeWords,
  codeWordsOf,
  linesWithName,
  readCodeWords,
} from "./code-words.ts";
export { definedNamesOf } from "./defined-names.ts";
export {
  type Confidence,
  findDependents,
  type FindDependentsOptions,
  type SymbolDependent,
} from "./find-dependents.ts";
export { findUsers, type SymbolUser } from "./find-users.ts";
export { offersOn } from "./offers-on.ts";
export { type SymbolUses, symbolUsesOf, type VisibleNames } from "./symbol-uses.ts";
export { filesOfDocuments, referenceTermOf } from "./term-files.ts";
