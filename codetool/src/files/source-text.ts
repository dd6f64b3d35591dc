import { decodeText, isBinary } from "../text/index.ts";
import { languageOfShebang } from "./languages.ts";
import { readFileBytes } from "./read-file.ts";
import type { Language, WalkedFile } from "./source-file.ts";

/** A walked file with its content. */
export interface SourceText {
  /** As on disk. */
  readonly bytes: Uint8Array;
  /** Decoded, without byte order mark. */
  readonly text: string;
  /** By name, else by `#!`. */
  readonly language: Language | null;
  /** True when bytes that are not UTF-8 became U+FFFD. */
  readonly isLossy: boolean;
}

/**
 * Reads a file that a walk found.
 *
 * @param options.sizeBytesMax Larger files are not read.
 * @returns `undefined` for a binary file, and for one that is gone, grown or unreadable by now.
 */
export function readSourceText(
  file: WalkedFile,
  options: { readonly sizeBytesMax: number },
): SourceText | undefined {
  const content = readFileBytes(file.absolutePath, options);
  if (content.kind !== "file" || isBinary(content.bytes)) return undefined;
  const { text, isLossy } = decodeText(content.bytes);
  const language = file.language ?? languageOfShebang(text);
  return { bytes: content.bytes, text, language, isLossy };
}
