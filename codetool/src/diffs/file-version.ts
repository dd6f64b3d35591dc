import { extractSource, hasSymbols, type ImportReference } from "../syntax/index.ts";
import { nameSymbols, type NamedSymbol } from "./named-symbol.ts";
import { makeLineOwners, type LineOwners } from "./line-owners.ts";

/** One version of a file, read for its symbols. */
export interface FileVersion {
  readonly path: string;
  readonly language: string;
  readonly text: string;
  /** The outermost ones. */
  readonly symbols: readonly NamedSymbol[];
  readonly imports: readonly ImportReference[];
  readonly owners: LineOwners;
  /** The text between two UTF-8 offsets of its symbols. */
  slice(startByte: number, endByte: number): string;
}

/**
 * Reads one version of a file.
 *
 * @param text Decoded, without a byte order mark.
 * @param options.language As file detection gives it.
 * @returns `undefined` for a language whose symbols are not known.
 */
export function readVersion(
  text: string,
  options: { readonly path: string; readonly language: string | null },
): FileVersion | undefined {
  const { path, language } = options;
  if (language === null || !hasSymbols(language)) return undefined;
  const extracted = extractSource(text, language);
  const symbols = nameSymbols(extracted.symbols);
  const bytes = Buffer.from(text, "utf8");
  const isAscii = bytes.length === text.length;
  return {
    path,
    language,
    text,
    symbols,
    imports: extracted.imports,
    owners: makeLineOwners(symbols, { lines: text.split("\n"), language }),
    slice: (startByte, endByte) =>
      isAscii ? text.slice(startByte, endByte) : bytes.toString("utf8", startByte, endByte),
  };
}
