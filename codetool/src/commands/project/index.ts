/**
 * An opened project: what `context` and `impact` share.
 *
 *   target ─▶ index on the disk, or one in memory ─▶ files, imports, symbols ─▶ texts, read when asked for
 *
 * It must not know payloads.
 */
export {
  defaultExportOf,
  type DefinedSymbol,
  definitionsOf,
  namesOf,
  outerDefinitions,
  reexportsOf,
  visibleNamesOf,
  withDefault,
} from "./defined-symbols.ts";
export { answerInOneState } from "./in-one-state.ts";
export { openProjectCorpus, type ProjectCorpus } from "./project-corpus.ts";
