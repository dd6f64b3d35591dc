import type { FileStamp, WalkedFile } from "../../files/index.ts";
import { definedNamesOf, packImports } from "../../imports/index.ts";
import { extractSource, isDataFormat, releaseTrees } from "../../syntax/index.ts";
import { searchableText } from "../../text/index.ts";
import type { SegmentBuilder } from "./builder.ts";

/** A file that was read. */
export interface FileToAdd {
  readonly bytes: Buffer;
  readonly stamp: FileStamp;
  /** XXH3-128 of the bytes. */
  readonly hash: string;
}

/** Adds a file to a segment: a binary file only with its name, a text with chunks, terms, definitions and imports. */
export async function addFile(
  builder: SegmentBuilder,
  file: WalkedFile,
  { bytes, stamp, hash }: FileToAdd,
): Promise<void> {
  const { relativePath: path, language } = file;
  const { modifiedMs } = stamp;
  const indexed = { path, sizeBytes: bytes.length, modifiedMs, hash, language };
  const text = searchableText(bytes);
  if (text === undefined) {
    await builder.add(indexed, null);
    return;
  }
  if (language === null) {
    const content = { text, symbols: [], imports: new Uint8Array(0) };
    await builder.add(indexed, content);
    return;
  }
  const source = extractSource(text.toString("utf8"), language);
  // No import means a heading or a key.
  const definedNames = isDataFormat(language) ? [] : definedNamesOf(source);
  const imports = packImports({ ...source, definedNames });
  const content = { text, symbols: source.symbols, imports };
  await builder.add(indexed, content);
  await releaseTrees();
}
