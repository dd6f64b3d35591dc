import { termsOf } from "../../index/index.ts";
import { QuerySpots, type QueryTerms, rootOf } from "../query/index.ts";

/** The words of a name, compound names in their parts. */
export function partsOfName(name: string): string[] {
  const terms = termsOf(name);
  return terms.length > 1 ? terms.slice(1) : terms;
}

/** How a path fits a query; each part is 0 to 1. */
export interface PathScore {
  /** Share of the query that the file's stem carries. */
  readonly stem: number;
  /** Share of the stem that the query asks for. */
  readonly stemPrecision: number;
  /** Share of the query that the last three folders carry. */
  readonly folders: number;
}

/** Tells how much of a query names and paths carry. */
export class PathMatcher {
  readonly #weights = new Map<string, number>();
  readonly #symbolName: string | null;
  readonly #spots: QuerySpots;
  #total = 0;

  /**
   * @param weightOf How much a term tells in this corpus.
   */
  constructor(query: QueryTerms, weightOf: (term: string) => number) {
    this.#symbolName = query.symbolName?.toLowerCase() ?? null;
    for (const word of query.words) {
      const root = rootOf(word);
      if (this.#weights.has(root)) continue;
      const weight = weightOf(word);
      this.#weights.set(root, weight);
      this.#total += weight;
    }
    const name = this.#symbolName;
    this.#spots = new QuerySpots([...this.#weights.keys(), ...(name === null ? [] : [name])]);
  }

  /** How much of the query the words of a path carry, and how much else they say. */
  scorePath(relativePath: string): PathScore {
    const folders = relativePath.split("/");
    const stem = partsOfName((folders.pop() ?? "").replace(/\.[^.]*$/, ""));
    const matched = stem.filter((part) => this.#isAsked(part)).length;
    return {
      stem: this.share(stem),
      stemPrecision: stem.length === 0 ? 0 : matched / stem.length,
      folders: this.share(folders.slice(-3).flatMap(partsOfName)),
    };
  }

  /**
   * How well a name fits the query: the share of the query it carries, less for what else it says. 1 for the name
   * that was asked for. 0 to 1.
   */
  scoreName(name: string): number {
    if (!this.#spots.mayHold(name)) return 0;
    if (this.#symbolName !== null && name.toLowerCase() === this.#symbolName) return 1;
    const parts = partsOfName(name);
    const share = this.share(parts);
    if (share === 0) return 0;
    const matched = parts.filter((part) => this.#isAsked(part)).length;
    return share * (0.5 + (0.5 * matched) / parts.length) * (this.#symbolName === null ? 1 : 0.8);
  }

  /** Share of the query, by weight, that occurs in a set of roots. */
  coverage(hasRoot: (root: string) => boolean): number {
    let sum = 0;
    for (const [root, weight] of this.#weights) if (hasRoot(root)) sum += weight;
    return this.#total === 0 ? 0 : sum / this.#total;
  }

  /** Share of the query, by weight, that some words carry. 0 to 1. */
  share(words: readonly string[]): number {
    const roots = [...new Set(words.map(rootOf))];
    return this.coverage((root) => roots.some((candidate) => isSameWord(root, candidate)));
  }

  #isAsked(word: string): boolean {
    const root = rootOf(word);
    if (this.#weights.has(root)) return true;
    for (const asked of this.#weights.keys()) if (isSameWord(asked, root)) return true;
    return false;
  }
}

/** Of two roots that are not the same, one may go on where the other ends: `util` and `utility`. */
function isSameWord(left: string, right: string): boolean {
  if (left === right) return true;
  const [shorter, longer] = left.length < right.length ? [left, right] : [right, left];
  return shorter.length >= 4 && longer.length - shorter.length <= 5 && longer.startsWith(shorter);
}
