import { createRequire } from "node:module";

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
  find(matcher: { rule: object }): SyntaxNode | null;
  findAll(matcher: { rule: object }): SyntaxNode[];
}

/** What the native library offers; `registerDynamicLanguage` works once in a process. */
export interface NativeBinding {
  parse(language: string, text: string): { root(): SyntaxNode };
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
  /** Absolute path of the compiled grammar, for example of `"python"`. Called at most once a grammar. */
  grammarPath(grammar: GrammarName): string;
}

/** Grammars beside those compiled into the library (TypeScript, TSX, JavaScript). */
export type GrammarName = "c" | "cpp" | "go" | "java" | "python" | "rust";

const grammars: { readonly [Name in GrammarName]: { readonly expandoChar: string } } = {
  c: { expandoChar: "_" },
  cpp: { expandoChar: "_" },
  go: { expandoChar: "µ" },
  java: { expandoChar: "$" },
  python: { expandoChar: "µ" },
  rust: { expandoChar: "µ" },
};

let nativeFiles: NativeFiles | null = null;
let binding: NativeBinding | null = null;
let isRegistered = false;

/** The names of all grammars that come as files of their own. */
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

/**
 * Gives the native library with the grammar registered.
 *
 * The library takes its registration once in a process, so the first use of any grammar file registers all of them
 * (8 ms together; texts of TypeScript and JavaScript alone never pay it).
 *
 * @param grammar The grammar file wanted, or `null` for a built-in language.
 */
export function nativeParser(grammar: GrammarName | null): NativeBinding {
  nativeFiles ??= packagedFiles();
  binding ??= nativeFiles.loadBinding();
  if (grammar !== null && !isRegistered) {
    const files = nativeFiles;
    binding.registerDynamicLanguage(
      Object.fromEntries(
        grammarNames().map((name) => [
          name,
          {
            libraryPath: files.grammarPath(name),
            languageSymbol: `tree_sitter_${name}`,
            expandoChar: grammars[name].expandoChar,
            extensions: [name],
          },
        ]),
      ),
    );
    isRegistered = true;
  }
  return binding;
}

function packagedFiles(): NativeFiles {
  const load = createRequire(import.meta.url);
  return {
    loadBinding: () => load("@ast-grep/napi") as NativeBinding,
    grammarPath: (grammar) =>
      (load(`@ast-grep/lang-${grammar}`) as { libraryPath: string }).libraryPath,
  };
}
