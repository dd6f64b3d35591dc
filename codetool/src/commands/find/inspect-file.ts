import { languageOfShebang, type PassingTexts } from "../../files/index.ts";
import { countLines, decodeText } from "../../text/index.ts";
import type { ListedFile } from "./list-files.ts";

/** What a list tells about a file. */
export interface InspectedFile {
  readonly lines: number;
  /** `null` unless symbols are counted. */
  readonly symbols: number | null;
  readonly language: string | null;
}

/** Counts symbols; `null` where the parser is not to be had. */
export type CountSymbols = (text: string, language: string | null) => Promise<number | null>;

/**
 * Loads what counts symbols.
 *
 * @param remarks Told why no symbols can be counted, once.
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

/** Files whose index knows all but the language are read as far as this. */
const headBytes = 256;

/**
 * Tells about a file, from what an index knows of it where it does, else from its content.
 *
 * @returns `undefined` for a binary file and one that is gone.
 */
export async function inspectFile(
  file: ListedFile,
  options: {
    readonly fileSizeBytesMax: number;
    readonly countSymbols: CountSymbols | undefined;
    readonly texts: PassingTexts;
  },
): Promise<InspectedFile | undefined> {
  const { absolutePath, known } = file;
  const { countSymbols, fileSizeBytesMax, texts } = options;
  if (known !== undefined && file.language !== null) {
    return { ...known, language: file.language };
  }
  const bytes = texts.read(absolutePath, { sizeBytesMax: fileSizeBytesMax });
  if (bytes === undefined) return undefined;
  const language = file.language ?? languageOfShebang(bytes.toString("latin1", 0, headBytes));
  const lines = countLines(bytes);
  // Its memory is another file's after the wait.
  const symbols = countSymbols && (await countSymbols(decodeText(bytes).text, language));
  return { lines, symbols: symbols ?? null, language };
}
