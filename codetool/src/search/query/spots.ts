import { isWordByte } from "../../index/index.ts";

/** Letters of a term that a word must hold before it is looked at. */
const needleLength = 4;

/**
 * Finds the words of a text that may hold a term of a query, so that the others need not be split into terms. It looks
 * for the beginning of each term, in any letter case.
 */
export class QuerySpots {
  /** `null` if a term has other characters than ASCII: then any word may hold a term. */
  readonly #source: string | null;
  readonly #pattern: RegExp;

  /**
   * @param terms Lower-cased; a word that is to be found holds one, or its first four letters.
   */
  constructor(terms: Iterable<string>) {
    this.#source = patternOf(terms);
    this.#pattern = new RegExp(this.#source ?? "", "gi");
  }

  /**
   * Matches what `mayHold` says of a name and, whatever the case of their ASCII letters, some names; `null` where any name may hold
   * a term.
   *
   * @param names Of ASCII letters, digits, `_` and `$`.
   */
  patternWith(names: readonly string[]): RegExp | null {
    if (this.#source === null) return null;
    const own = this.#source === "" ? [] : [this.#source];
    const escaped = names.map((name) => name.replaceAll("$", "\\$"));
    const alternatives = [...own, ...escaped];
    return alternatives.length === 0 ? /(?!)/g : new RegExp(alternatives.join("|"), "gi");
  }

  /** Whether a name may hold a term. */
  mayHold(name: string): boolean {
    if (this.#source === null) return true;
    if (this.#source === "") return false;
    this.#pattern.lastIndex = 0;
    return this.#pattern.test(name);
  }

  /**
   * Visits the words that may hold a term, in their order, each from its first byte to behind its last; where all may,
   * the text at once.
   */
  visit(text: Buffer, visit: (start: number, end: number) => void): void {
    if (this.#source === null) {
      if (text.length > 0) visit(0, text.length);
      return;
    }
    if (this.#source === "") return;
    const pattern = this.#pattern;
    const bytes = text.toString("latin1");
    pattern.lastIndex = 0;
    while (pattern.test(bytes)) {
      let end = pattern.lastIndex;
      let start = end - 1;
      while (start > 0 && isWordByte(text[start - 1] as number)) start -= 1;
      while (end < text.length && isWordByte(text[end] as number)) end += 1;
      visit(start, end);
      pattern.lastIndex = end;
    }
  }
}

/** Alternatives that begin all terms; `null` when one of them is beyond ASCII. */
function patternOf(terms: Iterable<string>): string | null {
  const needles = new Set<string>();
  for (const term of terms) {
    if (!/^[\w$]+$/.test(term)) return null;
    needles.add(term.slice(0, needleLength));
  }
  const shortest = [...needles].filter(
    (needle) => ![...needles].some((other) => other !== needle && needle.startsWith(other)),
  );
  return shortest
    .toSorted()
    .map((needle) => needle.replaceAll("$", "\\$"))
    .join("|");
}
