/**
 * The syntax layer: text and a language's name in, definitions out.
 *
 *     text ──parse──▶ native tree ──one query for all kinds a rule names──▶ matched nodes, in document order
 *                                                                              │ stack of matched ancestors
 *                                                                              ▼
 *                                              rule of the node's kind ──▶ what it defines, wraps, opens
 *                                                                              │
 *                                                                              ▼
 *                                                             CodeSymbol, nested, with UTF-8 byte ranges
 *
 * A language is one small file under `languages/`: its grammar's name and a table from node kind to rule. A rule sees
 * its node and the matched ancestors and says what that node means; it knows nothing of offsets in bytes, of files or
 * of output. Adding a language is adding a file and a row in `language-table.ts`.
 *
 * Data formats (Markdown, YAML, CSS, …) have no grammar here but a scanner each under `formats/`; the two sorts meet in
 * `extractSymbols` and `skeletonOf`, and callers see no difference.
 *
 * Imports come from the same query: a file under `imports/` says which nodes of a language bring others in, and reads
 * their source, without asking the tree again. What an import means in a tree of files is not known here.
 *
 * Where a name is used, and in which scope it is declared, is read by `names/`, for a few languages; `members/` reads types,
 * their members, and what is before a dot.
 *
 * Parsing is done in native code, and every call into it costs more than what it does: so there is one query a file,
 * no walk in JavaScript, and no asking a node for its parent. Trees lie in native memory that the collector does not
 * feel: loops over many files await `releaseTrees()` after each. Where native code is loaded from is a seam
 * (`useNativeFiles`), because the one-file executable unpacks its own.
 *
 * Nothing here throws for a text, however broken: errors in it are a remark (`hasErrors`), limits are a remark
 * (`isComplete`), and nesting is followed with its own stack, never with recursion over the tree.
 *
 * This folder must not know: file systems (except the place of native code), commands, budgets, the envelope.
 */
export { type EnclosingBlock, enclosingBlockOf } from "./enclosing-block.ts";
export { byteOffsetsOf } from "./byte-offsets.ts";
export {
  extractDefinitions,
  extractDefinitionsAhead,
  type ExtractedSource,
  type ExtractedSymbols,
  extractSource,
  extractSymbols,
  hasSymbols,
  isDataFormat,
} from "./extract.ts";
export { flattenSymbols } from "./flatten-symbols.ts";
export type { FileImports, ImportKind, ImportReference } from "./import-reference.ts";
export {
  type Expression,
  type FileMembers,
  type FileTypes,
  type ImportedName,
  type MemberDefinition,
  type MemberUse,
  readMembers,
  type TypeDefinition,
  type TypeText,
} from "./members/index.ts";
export {
  hasNameRules,
  hasWord,
  mayMention,
  type Mention,
  type NameRole,
  type NameUse,
  placesOfName,
  usesOfName,
} from "./names/index.ts";
export {
  hasErrorNodes,
  isParseable,
  languagesReadFrom,
  openForPatterns,
  type ParsedSource,
  parseSource,
  type PatternSource,
  sourceLengthMax,
} from "./parse.ts";
export { registerGrammars, useRegisteredGrammars } from "../native/index.ts";
export { type CommentRange, commentRangesOf } from "./comment-ranges.ts";
export {
  commentLinesOf,
  commentLineStart,
  commonMarks,
  type LexicalMarks,
  type LexicalShapes,
  lexisOf,
  type StringRule,
} from "./lexis/index.ts";
export { releaseTrees } from "./release-trees.ts";
export { isSameTree } from "./same-tree.ts";
export { skeletonOf } from "./skeleton/index.ts";
export {
  compilePattern,
  faultOfPattern,
  type StructuralCapture,
  type StructuralMatch,
  type StructuralPattern,
} from "./structural/index.ts";
export { type SyntaxFault, syntaxFaultsOf } from "./syntax-errors.ts";
export type { CodeSymbol, SymbolKind } from "./symbol.ts";
