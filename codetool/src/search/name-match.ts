import { termsOf } from "../index/index.ts";
import { type QueryTerms, rootOf } from "./query-terms.ts";

/** The words of a name, compound names in their parts. */
export function partsOfName(name: string): string[] {
  const terms = termsOf(name);
  return terms.length > 1 ? terms.slice(1) : terms;
}

/** Tells how much of a query names and paths carry. */
export class PathMatcher {
  readonly #weights = new Map<string, number>();
  readonly #symbolName: string | null;
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
  }

  /** Share of the query, by weight, that the file's stem and folders carry; folders count half. 0 to 1. */
  score(relativePath: string): number {
    const parts = relativePath.split("/");
    const stem = (parts.pop() ?? "").replace(/\.[^.]*$/, "");
    const inStem = this.#share(partsOfName(stem));
    const inFolders = this.#share(parts.slice(-3).flatMap(partsOfName));
    return Math.min(1, inStem + 0.5 * inFolders);
  }

  /**
   * How well a name fits the query: the share of the query it carries, less for what else it says. 1 for the name
   * that was asked for. 0 to 1.
   */
  scoreName(name: string): number {
    if (this.#symbolName !== null && name.toLowerCase() === this.#symbolName) return 1;
    const parts = partsOfName(name);
    const share = this.#share(parts);
    if (share === 0) return 0;
    const matched = parts.filter((part) => this.#weights.has(rootOf(part))).length;
    return share * (0.5 + (0.5 * matched) / parts.length) * (this.#symbolName === null ? 1 : 0.8);
  }

  /** Share of the query, by weight, that occurs in a set of roots. */
  coverage(hasRoot: (root: string) => boolean): number {
    let sum = 0;
    for (const [root, weight] of this.#weights) if (hasRoot(root)) sum += weight;
    return this.#total === 0 ? 0 : sum / this.#total;
  }

  #share(words: readonly string[]): number {
    const roots = new Set(words.map(rootOf));
    return this.coverage((root) => roots.has(root));
  }
}
