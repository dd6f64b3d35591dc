/** The kinds of symbols an outline shows. */
export type SymbolKind =
  | "function"
  | "class"
  | "method"
  | "struct"
  | "enum"
  | "trait"
  | "interface"
  | "type"
  | "const"
  | "module";

/** A named definition in a file, with the definitions inside it. */
export interface CodeSymbol {
  readonly name: string;
  readonly kind: SymbolKind;
  /** 1-based, inclusive: from the first line of the definition, decorators and attributes included, to its last. */
  readonly startLine1: number;
  readonly endLine1: number;
  /** UTF-8 byte range of the same, end exclusive. */
  readonly startByte: number;
  readonly endByte: number;
  /** UTF-8 byte offset where the body begins (after the signature); equal to `endByte` when there is none. */
  readonly bodyStartByte: number;
  /** The declaration without its body, on one line, white space folded, at most 300 characters. */
  readonly signature: string;
  readonly isExported: boolean;
  /** The type it belongs to, when it is written outside of that type's body (Go receivers, C++ `A::f`). */
  readonly container?: string;
  readonly children: readonly CodeSymbol[];
}
