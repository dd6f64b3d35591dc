import { accessSync, constants } from "node:fs";
import { languageOfShebang, type PassingTexts } from "../../files/index.ts";
import { countLines, decodeText } from "../../text/index.ts";
import type { ListedFile, Unsearched } from "./list-files.ts";

/** What a list says about a file. */
export interface InspectedFile {
  /** `null` where the content is not looked into. */
  readonly lines: number | null;
  /** `null` unless symbols are counted. */
  readonly symbols: number | null;
  readonly language: string | null;
  /** Why the content is not looked into; absent where it is. */
  readonly unsearched?: Unsearched;
}

/** Counts symbols; `null` when the parser cannot be loaded. */
export type CountSymbols = (text: string, language: string | null) => Promise<number | null>;

/**
 * Loads what counts symbols.
 *
 * @param remarks Gets the reason once, if symbols cannot be counted.
 */
export async function loadSymbolCounter(remarks: string[]): Promise<CountSymbols> {
  const { extractSymbols, flattenSymbols, releaseTrees } = await import("../../syntax/index.ts");
  let isFailed = false;
  return async (text, language) => {
    if (isFailed) return null;
    if (language === null) return 0;
    try {
      const count = flattenSymbols(extractSymbols(text, language).symbols).length;
      await releaseTrees();
      return count;
    } catch (error) {
      isFailed = true;
      remarks.push(`No symbols are known: ${error instanceof Error ? error.message : "no parser"}`);
      return null;
    }
  };
}

/** How much is read of a file of which the index knows everything except the language. */
const headBytes = 256;

/** Describes a file of which the index knows everything; it waits for nothing. */
export function inspectKnown({ known, language }: ListedFile): InspectedFile | undefined {
  return known === undefined || language === null ? undefined : { ...known, language };
}

/**
 * Describes a file from its content.
 *
 * @returns `undefined` for one that is gone.
 */
export async function inspectFile(
  file: ListedFile,
  options: {
    readonly fileSizeBytesMax: number;
    readonly countSymbols: CountSymbols | undefined;
    readonly texts: PassingTexts;
  },
): Promise<InspectedFile | undefined> {
  const { absolutePath } = file;
  const { countSymbols, fileSizeBytesMax, texts } = options;
  const nothing = { lines: null, symbols: null, language: null };
  if (file.unsearched === "large")
    return { ...nothing, language: file.language, unsearched: "large" };
  if (file.unsearched !== undefined) return { ...nothing, unsearched: file.unsearched };
  const bytes = texts.read(absolutePath, { sizeBytesMax: fileSizeBytesMax });
  if (bytes === undefined) {
    const unsearched = reasonOf(absolutePath);
    return unsearched === undefined ? undefined : { ...nothing, unsearched };
  }
  const language = file.language ?? languageOfShebang(bytes.toString("latin1", 0, headBytes));
  const lines = countLines(bytes);
  // After the wait, another file may use the same memory.
  const symbols = countSymbols && (await countSymbols(decodeText(bytes).text, language));
  return { lines, symbols: symbols ?? null, language };
}

/** Why a file is not a text; `undefined` where it is gone. */
function reasonOf(absolutePath: string): "binary" | "unreadable" | undefined {
  try {
    accessSync(absolutePath, constants.R_OK);
    return "binary";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? undefined : "unreadable";
  }
}
