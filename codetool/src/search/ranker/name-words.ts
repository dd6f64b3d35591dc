import { termsOf } from "../../index/index.ts";
import { QuerySpots } from "../query/index.ts";
import type { RankQuery } from "./query.ts";
import { rootOfWord } from "./word-forms.ts";

/** The words of a name, lower-cased, compound names in their parts. */
export function wordsOfName(name: string): string[] {
  const terms = termsOf(name);
  return terms.length > 1 ? terms.slice(1) : terms;
}

/** How a name fits a query. */
export interface NameFit {
  /** Share of the query, by weight, that the name carries; 0 to 1. */
  readonly share: number;
  /** Share of the name's words that the query asks for; 0 to 1. */
  readonly precision: number;
}

const noFit: NameFit = { share: 0, precision: 0 };

/** Tells which words of a query a name carries. */
export class NameMatcher {
  readonly #groupOfForm = new Map<string, number>();
  readonly #roots: readonly string[];
  /** How much each group of the query tells. */
  readonly weights: readonly number[];
  readonly #total: number;
  readonly #groupsOfWord = new Map<string, number>();
  readonly #fits = new Map<readonly string[], NameFit>();
  /** What was found for the words of texts, by their hashes. */
  readonly groupsByHash = new Map<number, number>();
  /** Where words may be that belong to a group. */
  readonly spots: QuerySpots;

  /**
   * @param weights How much each group of the query tells.
   */
  constructor(query: RankQuery, weights: readonly number[]) {
    this.weights = weights;
    this.#roots = query.groups.map(({ root }) => root);
    this.spots = new QuerySpots(query.groups.flatMap(({ root, forms }) => [root, ...forms]));
    for (const [index, { forms }] of query.groups.entries())
      for (const form of forms)
        if (!this.#groupOfForm.has(form)) this.#groupOfForm.set(form, index);
    this.#total = Math.max(
      1e-9,
      weights.reduce((sum, weight) => sum + weight, 0),
    );
  }

  /** The groups of the query that a word belongs to, a bit each. */
  groupsOf(word: string): number {
    const known = this.#groupsOfWord.get(word);
    if (known !== undefined) return known;
    let bits = 0;
    const exact = this.#groupOfForm.get(word);
    if (exact !== undefined) bits |= 1 << exact;
    const root = rootOfWord(word);
    for (let index = 0; index < this.#roots.length; index += 1)
      if (isSameRoot(this.#roots[index] as string, root)) bits |= 1 << index;
    this.#groupsOfWord.set(word, bits);
    return bits;
  }

  /** The groups that some words carry. */
  groupsOfAll(words: readonly string[]): number {
    let bits = 0;
    for (const word of words) bits |= this.groupsOf(word);
    return bits;
  }

  /** Share of the query, by weight, that a set of groups makes up; 0 to 1. */
  shareOf(bits: number): number {
    if (bits === 0) return 0;
    let sum = 0;
    // An iterator takes several times as long, here and below.
    for (let index = 0; index < this.weights.length; index += 1)
      if ((bits & (1 << index)) !== 0) sum += this.weights[index] as number;
    return sum / this.#total;
  }

  /** How a name fits, given in its words. */
  fit(words: readonly string[]): NameFit {
    const known = this.#fits.get(words);
    if (known !== undefined) return known;
    const fit = this.#findFit(words);
    // The words of a path are asked for by several features.
    this.#fits.set(words, fit);
    return fit;
  }

  #findFit(words: readonly string[]): NameFit {
    let bits = 0;
    let askedCount = 0;
    for (const word of words) {
      const own = this.groupsOf(word);
      if (own !== 0) askedCount += 1;
      bits |= own;
    }
    if (bits === 0) return noFit;
    return { share: this.shareOf(bits), precision: askedCount / words.length };
  }
}

const rootLettersMin = 4;
const addedLettersMax = 4;

/** Of two roots that are not the same, one may go on where the other ends: `util` and `utility`. */
function isSameRoot(left: string, right: string): boolean {
  if (left === right) return true;
  const added = right.length - left.length;
  if (added > addedLettersMax || added < -addedLettersMax) return false;
  return added > 0
    ? left.length >= rootLettersMin && right.startsWith(left)
    : right.length >= rootLettersMin && left.startsWith(right);
}
