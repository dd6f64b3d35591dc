/**
 * An opened project: what `context`, `impact`, `explain` and `map` share.
 *
 *   target ─▶ index on the disk, or one in memory ─▶ files, imports, symbols ─▶ texts, read when asked for
 *
 * It must not know payloads.
 */
export {
  defaultExportOf,
  type DefinedSymbol,
  definitionsOf,
  namesAsked,
  namesOf,
  outerDefinitions,
  reexportsOf,
  visibleNamesOf,
  withDefault,
} from "./defined-symbols.ts";
export { findUsersByName } from "./find-users-by-name.ts";
export { answerInOneState } from "./in-one-state.ts";
export { leadingDoc } from "./leading-doc.ts";
export { openProjectCorpus, type ProjectCorpus } from "./project-corpus.ts";
export { SymbolUsers } from "./symbol-users.ts";
