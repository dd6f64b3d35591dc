import type { CodeSymbol } from "../../syntax/index.ts";
import type { CorpusSymbol } from "../../store/index.ts";

/** What an index knows of the definitions in its files. */
export interface OutlineSource {
  /** The definitions in a file, outer ones before those inside. */
  symbolsOf(file: number): readonly (CorpusSymbol & { readonly parent: number | null })[];
  /** Their declarations without the bodies, in the same order. */
  signaturesOf(file: number): readonly string[];
  /** The types that they belong to where these are elsewhere, else empty. */
  containersOf(file: number): readonly string[];
  /** Where each begins, its body begins and it ends, byte offsets in the same order. */
  symbolBytesOf(file: number): Uint32Array;
}

/** The definitions in a file as the index has them, each with those inside of it: what parsing the file would give. */
export function storedOutline(source: OutlineSource, file: number): readonly CodeSymbol[] {
  const signatures = source.signaturesOf(file);
  const containers = source.containersOf(file);
  const bytes = source.symbolBytesOf(file);
  const outermost: CodeSymbol[] = [];
  const insides: CodeSymbol[][] = [];
  for (const [index, symbol] of source.symbolsOf(file).entries()) {
    const { name, kind, startLine1, endLine1, isExported, parent } = symbol;
    const children: CodeSymbol[] = [];
    const container = containers[index] ?? "";
    insides.push(children);
    (parent === null ? outermost : (insides[parent] ?? outermost)).push({
      name,
      kind,
      startLine1,
      endLine1,
      startByte: bytes[3 * index] as number,
      bodyStartByte: bytes[3 * index + 1] as number,
      endByte: bytes[3 * index + 2] as number,
      signature: signatures[index] ?? "",
      isExported,
      ...(container === "" ? {} : { container }),
      children,
    });
  }
  return outermost;
}
