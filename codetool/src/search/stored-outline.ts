import type { CorpusSymbol } from "./corpus-view.ts";
import type { ShownSymbol } from "./symbol-reader.ts";

/** What an index knows of the definitions in its files. */
export interface OutlineSource {
  /** The definitions in a file, outer ones before those inside. */
  symbolsOf(file: number): readonly (CorpusSymbol & { readonly parent: number | null })[];
  /** Their declarations without the bodies, in the same order. */
  signaturesOf(file: number): readonly string[];
}

/** The definitions in a file as the index has them, each with those inside of it: what parsing the file would give. */
export function storedOutline(source: OutlineSource, file: number): ShownSymbol[] {
  const signatures = source.signaturesOf(file);
  const outermost: ShownSymbol[] = [];
  const children: ShownSymbol[][] = [];
  for (const [index, symbol] of source.symbolsOf(file).entries()) {
    const { name, kind, startLine1, endLine1, parent } = symbol;
    const inside: ShownSymbol[] = [];
    children.push(inside);
    const signature = signatures[index] ?? "";
    const own = { name, kind, startLine1, endLine1, signature, children: inside };
    (parent === null ? outermost : (children[parent] ?? outermost)).push(own);
  }
  return outermost;
}
