import { scanTokens } from "../../codetool/src/model/scan-tokens.ts";
import { stemInPlace } from "../../codetool/src/model/stem.ts";
import { chosenFiles, textOf } from "./corpus-files.ts";

/** Numbers for stems, in the order of first sight. */
export class StemNumbers {
  readonly #ofWord = new Map<string, number>();
  readonly #ofStem = new Map<string, number>();
  readonly stems: string[] = [];

  /** The number of the stem of a word in any case. */
  numberOf(word: string): number {
    const known = this.#ofWord.get(word);
    if (known !== undefined) return known;
    const bytes = Buffer.from(word.toLowerCase(), "utf8");
    const stem = bytes.toString("utf8", 0, stemInPlace(bytes, bytes.length));
    let number = this.#ofStem.get(stem);
    if (number === undefined) {
      number = this.stems.push(stem) - 1;
      this.#ofStem.set(stem, number);
    }
    this.#ofWord.set(word, number);
    return number;
  }
}

/** The stems of each text of an unpacked repository, by their numbers. */
export async function* stemStreams(root: string, numbers: StemNumbers): AsyncGenerator<Int32Array> {
  for (const file of await chosenFiles(root)) {
    const text = textOf(file);
    if (text === null) continue;
    const found: number[] = [];
    scanTokens(text, (source, from, to) => {
      const word = Buffer.from(source.buffer, source.byteOffset + from, to - from);
      found.push(numbers.numberOf(word.toString("utf8")));
    });
    yield Int32Array.from(found);
  }
}
