import type { WalkedFile } from "../../files/index.ts";
import { type CodeSymbol, extractDefinitionsAhead } from "../../syntax/index.ts";
import { checksumOf } from "../../text/index.ts";

/** A text that is parsed in another thread. */
interface AheadText {
  readonly sizeBytes: number;
  readonly checksum: number;
  /** Never rejects: what fails in a thread is done again, and reported, where it is asked for. */
  readonly isThere: Promise<void>;
  symbols: readonly CodeSymbol[] | undefined;
}

/** Symbols of texts that are parsed before they are asked for, several at once. Only the time of an answer depends on it. */
export class SymbolsAhead {
  readonly #texts = new Map<string, AheadText>();

  /** Begins with a text of a file; the text is not used after the call. */
  begin({ absolutePath, language }: WalkedFile, text: Buffer): void {
    if (language === null || this.#texts.has(absolutePath)) return;
    const ahead: { -readonly [Key in keyof AheadText]: AheadText[Key] } = {
      sizeBytes: text.length,
      checksum: checksumOf(text),
      isThere: Promise.resolve(),
      symbols: undefined,
    };
    ahead.isThere = extractDefinitionsAhead(text.toString("utf8"), language).then(
      (symbols) => {
        ahead.symbols = symbols;
      },
      () => undefined,
    );
    this.#texts.set(absolutePath, ahead);
  }

  /** Waits for what was begun of a file; default for all that was begun. */
  async wait(file?: WalkedFile): Promise<void> {
    const own = file === undefined ? undefined : this.#texts.get(file.absolutePath);
    if (file !== undefined) return await own?.isThere;
    await Promise.all([...this.#texts.values()].map(({ isThere }) => isThere));
  }

  /** Hands out the symbols of just this text; `undefined` where they are not there. */
  take({ absolutePath }: WalkedFile, text: Buffer): readonly CodeSymbol[] | undefined {
    const ahead = this.#texts.get(absolutePath);
    const isSame = ahead?.sizeBytes === text.length && ahead.checksum === checksumOf(text);
    if (ahead?.symbols === undefined || !isSame) return undefined;
    this.#texts.delete(absolutePath);
    return ahead.symbols;
  }
}
