import { createRequire } from "node:module";
import process from "node:process";
import { packagedGrammar } from "./packaged-grammar.ts";

/** A position in a parsed text: both numbers count from 0; `index` counts UTF-16 code units. */
export interface SyntaxPosition {
  readonly line: number;
  readonly column: number;
  readonly index: number;
}

/** The part of a syntax node that this folder uses; every call crosses into native code. */
export interface SyntaxNode {
  kind(): string;
  id(): number;
  range(): { readonly start: SyntaxPosition; readonly end: SyntaxPosition };
  text(): string;
  isNamed(): boolean;
  field(name: string): SyntaxNode | null;
  fieldChildren(name: string): SyntaxNode[];
  children(): SyntaxNode[];
  child(index: number): SyntaxNode | null;
  next(): SyntaxNode | null;
  find(matcher: { rule: object }): SyntaxNode | null;
  findAll(matcher: { rule: object }): SyntaxNode[];
  /** Of a node that a pattern found: what a placeholder means. */
  getMatch(name: string): SyntaxNode | null;
  /** The same of a placeholder for many, tokens between them too. */
  getMultipleMatches(name: string): SyntaxNode[];
}

/** What the native library offers; `registerDynamicLanguage` works once in a process. */
export interface NativeBinding {
  parse(language: string, text: string): { root(): SyntaxNode };
  /** The same in a thread of the library's. */
  parseAsync(language: string, text: string): Promise<{ root(): SyntaxNode }>;
  registerDynamicLanguage(languages: { readonly [name: string]: GrammarFile }): void;
}

/** A compiled grammar on disk, as the native library wants it described. */
export interface GrammarFile {
  readonly libraryPath: string;
  readonly languageSymbol: string;
  readonly expandoChar: string;
  readonly extensions: string[];
}

/** Where native code comes from: `node_modules` on Node, an unpacked cache in the one-file executable. */
export interface NativeFiles {
  /** Loads the parser library. Called at most once. */
  loadBinding(): NativeBinding;
  /** Says whether there is a compiled grammar for this machine; cheap. */
  hasGrammar(grammar: GrammarName): boolean;
  /**
   * Absolute path of the compiled grammar, for example of `"python"`. Called at most once a grammar that is there;
   * `isWanted` when a text in it is about to be parsed, not when it is registered for later.
   */
  grammarPath(grammar: GrammarName, options: { readonly isWanted: boolean }): string;
  /** Called when all grammars are loaded: their paths are needed no more. */
  onRegistered?(): void;
}

const grammars = {
  bash: { expandoChar: "_" },
  c: { expandoChar: "\u{10000}" },
  cpp: { expandoChar: "\u{10000}" },
  csharp: { symbolName: "c_sharp", expandoChar: "µ" },
  elixir: { expandoChar: "µ" },
  go: { expandoChar: "µ" },
  haskell: { expandoChar: "µ", otherExpandoChar: "Ω" },
  java: { expandoChar: "$" },
  kotlin: { expandoChar: "µ" },
  lua: { expandoChar: "µ" },
  php: { expandoChar: "µ", otherExpandoChar: "$" },
  python: { expandoChar: "µ" },
  ruby: { expandoChar: "µ", otherExpandoChar: "Q" },
  rust: { expandoChar: "µ" },
  scala: { expandoChar: "$" },
  swift: { expandoChar: "µ" },
  zig: { expandoChar: "_", isAddon: true },
} as const satisfies { readonly [name: string]: GrammarDescription };

interface GrammarDescription {
  /** In the library's entry `tree_sitter_…`; default: the grammar's name. */
  readonly symbolName?: string;
  /** What means `$` in structural patterns, where the language has no such letter. */
  readonly expandoChar: string;
  /** The same for another sort of name, where the language tells sorts by their first letter; tried second. */
  readonly otherExpandoChar?: string;
  /** It is an addon of Node and needs more of the system than a bare grammar; loading it is tried first. */
  readonly isAddon?: boolean;
}

/** Grammars in addition to those compiled into the library (TypeScript, TSX, JavaScript). */
export type GrammarName = keyof typeof grammars;

let nativeFiles: NativeFiles | null = null;
let binding: NativeBinding | null = null;
let isRegistered = false;
const foundGrammars = new Map<GrammarName, boolean>();
const grammarPaths = new Map<GrammarName, string>();

/** The function that a grammar's library gives its language by. */
export function grammarSymbol(grammar: GrammarName): string {
  const { symbolName = grammar }: GrammarDescription = grammars[grammar];
  return `tree_sitter_${symbolName}`;
}

/** The names of all grammars that come as their own files. */
export function grammarNames(): readonly GrammarName[] {
  return Object.keys(grammars) as GrammarName[];
}

/**
 * Says where native code is loaded from; the one-file executable calls it once, before the first parse.
 *
 * @param files The places. Without this call the packages of `node_modules` are used.
 */
export function useNativeFiles(files: NativeFiles): void {
  nativeFiles = files;
}

/** Says whether a grammar is there on this machine: not every one is published for every platform. */
export function hasGrammar(grammar: GrammarName): boolean {
  return findGrammar(grammar, { isWanted: true });
}

function findGrammar(grammar: GrammarName, { isWanted }: { readonly isWanted: boolean }): boolean {
  const files = (nativeFiles ??= packagedFiles());
  let isThere = foundGrammars.get(grammar);
  if (isThere === undefined) {
    const { isAddon = false }: GrammarDescription = grammars[grammar];
    isThere = files.hasGrammar(grammar) && (!isAddon || isLoadable(grammar, { files, isWanted }));
    foundGrammars.set(grammar, isThere);
  }
  return isThere;
}

/** The native library ends the process over a file that does not load, so what may not is tried here first. */
function isLoadable(grammar: GrammarName, use: GrammarUse): boolean {
  try {
    binding ??= use.files.loadBinding();
    process.dlopen({ exports: {} }, pathOf(grammar, use));
    return true;
  } catch {
    return false;
  }
}

/** Where a grammar comes from, and whether a text in it is about to be parsed. */
interface GrammarUse {
  readonly files: NativeFiles;
  readonly isWanted: boolean;
}

function pathOf(grammar: GrammarName, { files, isWanted }: GrammarUse): string {
  const path = grammarPaths.get(grammar) ?? files.grammarPath(grammar, { isWanted });
  grammarPaths.set(grammar, path);
  return path;
}

/**
 * Gives the native library with the grammar registered.
 *
 * The library takes its registration once in a process, so the first use of any grammar file registers all of them
 * (texts of only TypeScript and JavaScript never pay it).
 *
 * @param grammar The grammar file wanted, for which `hasGrammar` is true, or `null` for a built-in language.
 */
export function nativeParser(grammar: GrammarName | null): NativeBinding {
  nativeFiles ??= packagedFiles();
  binding ??= nativeFiles.loadBinding();
  if (grammar !== null) register(grammar, { files: nativeFiles, binding });
  return binding;
}

/** Registers all grammars now: before other threads start, which parse and must not register them again. */
export function registerGrammars(): void {
  nativeFiles ??= packagedFiles();
  binding ??= nativeFiles.loadBinding();
  register(null, { files: nativeFiles, binding });
}

/** Says, in a thread, that another one has registered the grammars. */
export function useRegisteredGrammars(): void {
  isRegistered = true;
}

/** @param wanted The grammar that is about to be used, or `null` for all. */
function register(
  wanted: GrammarName | null,
  native: { readonly files: NativeFiles; readonly binding: NativeBinding },
): void {
  if (isRegistered) return;
  const { files } = native;
  const described = grammarNames()
    .filter((name) => findGrammar(name, { isWanted: wanted === null || name === wanted }))
    .map((name): [string, GrammarFile] => {
      const { expandoChar }: GrammarDescription = grammars[name];
      const isWanted = wanted === null || name === wanted;
      const libraryPath = pathOf(name, { files, isWanted });
      const languageSymbol = grammarSymbol(name);
      return [name, { libraryPath, languageSymbol, expandoChar, extensions: [name] }];
    });
  const others = described.flatMap(([name, file]): [string, GrammarFile][] => {
    const { otherExpandoChar }: GrammarDescription = grammars[name as GrammarName];
    if (otherExpandoChar === undefined) return [];
    const other = otherParserName(name);
    return [[other, { ...file, expandoChar: otherExpandoChar, extensions: [other] }]];
  });
  native.binding.registerDynamicLanguage(Object.fromEntries([...described, ...others]));
  files.onRegistered?.();
  isRegistered = true;
}

/** A name by which the native library knows a language, and what it takes for `$` in a pattern then. */
export interface PatternParser {
  readonly parserName: string;
  readonly letter: string;
}

/** The ways to read a structural pattern in a language. */
export function patternParsersOf({
  grammar,
  parserName,
}: {
  readonly grammar: GrammarName | null;
  readonly parserName: string;
}): readonly PatternParser[] {
  if (grammar === null) return [{ parserName, letter: "$" }];
  const { expandoChar, otherExpandoChar }: GrammarDescription = grammars[grammar];
  const first = { parserName, letter: expandoChar };
  if (otherExpandoChar === undefined) return [first];
  return [first, { parserName: otherParserName(parserName), letter: otherExpandoChar }];
}

function otherParserName(parserName: string): string {
  return `${parserName}-other`;
}

function packagedFiles(): NativeFiles {
  const load = createRequire(import.meta.url);
  return {
    loadBinding: () => load("@ast-grep/napi") as NativeBinding,
    hasGrammar: (grammar) => packagedGrammar(grammar, load) !== null,
    grammarPath: (grammar) => {
      const path = packagedGrammar(grammar, load);
      if (path === null) throw new Error(`no grammar of ${grammar} for this platform`);
      return path;
    },
  };
}
