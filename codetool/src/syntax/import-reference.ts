/**
 * How a file brings in another.
 *
 * - `static`: an ordinary import, also `require` with a literal.
 * - `dynamic`: loaded while the program runs (`import()`, `autoload`, `importlib.import_module`).
 * - `reexport`: what is imported is exported again (`export … from`, `pub use`).
 * - `type`: only for the type checker.
 * - `include`: a file is named, not a module (`#include`, PHP's `require`, `mod x;`).
 */
export type ImportKind = "static" | "dynamic" | "reexport" | "type" | "include";

/** One import of a file, as its language writes it. */
export interface ImportReference {
  /**
   * The module as written, without quotes. Where a language names a thing inside of a module in one breath
   * (`import a.b.C`, `use a::b::C`), the module is what is before the last part and the thing is in `names`.
   * A system header keeps its brackets (`<stdio.h>`), a path relative to the importing file begins with `.`.
   */
  readonly specifier: string;
  /** The names brought in, as the module calls them; `["*"]` for all, `[]` for the module itself or its effects. */
  readonly names: readonly string[];
  /** Line of the statement, from 1. */
  readonly line1: number;
  readonly kind: ImportKind;
}

/** What a file says about its place among the others. */
export interface FileImports {
  /** In document order. */
  readonly imports: readonly ImportReference[];
  /** Packages or namespaces that the file says its definitions belong to (`package a.b`, `namespace A.B`). */
  readonly namespaces: readonly string[];
  /**
   * Hashes (`nameHash`) of the names the file uses, ascending, in languages where a file sees others without naming
   * each (a package, a namespace, a module); empty in the rest. It holds more than types, and words of comments: it is
   * meant to be met with what others define.
   */
  readonly usedNames: Uint32Array;
}
