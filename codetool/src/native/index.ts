/**
 * The parser's native library and the grammars of its languages: where they are, how they are loaded, and the part of
 * their interface that codetool uses. The one-file executable unpacks its own and says so with `useNativeFiles`, before
 * the first text is parsed.
 *
 * This folder must not know: what a grammar's nodes mean, commands, budgets.
 */
export {
  type GrammarName,
  grammarSymbol,
  hasGrammar,
  type NativeBinding,
  type NativeFiles,
  nativeParser,
  type PatternParser,
  patternParsersOf,
  registerGrammars,
  type SyntaxNode,
  useNativeFiles,
  useRegisteredGrammars,
} from "./binding.ts";
export { MemoryFiles } from "./memory-file.ts";
export { cacheFolders, type EmbeddedFile, type IntegrityCheck, unpackFile } from "./unpack-file.ts";
