import type { WalkedFile } from "../../files/index.ts";
import type { LineHit, PlaceInLine } from "./line-judgement.ts";
import type { LineNumbers } from "./line-numbers.ts";

/** A ranked hit. Its line is counted when it is asked for, which may take another look at the file. */
export interface RankedHit extends LineHit {
  readonly file: WalkedFile;
  /** 0 to 1. */
  readonly relevance: number;
  /** What the line itself is worth, 0 to 1, wherever its file comes. */
  readonly score: number;
  /** The line defines what matched. */
  readonly isDefinition: boolean;
  /** The line says what matched is there, like a prototype. */
  readonly isDeclaration: boolean;
}

/** A hit with its score; its line is absent as long as it was not counted. */
export interface ScoredHit extends PlaceInLine {
  line1: number | undefined;
  readonly endLine1: number | undefined;
  score: number;
  isDefinition: boolean;
  readonly isDeclaration: boolean;
}

/** The hits of a file, in the order in which they were found. */
export interface ScoredFile {
  readonly file: WalkedFile;
  /** One at least. */
  readonly hits: readonly ScoredHit[];
}

/** The line of a hit, counted once. */
export function lineOf(file: WalkedFile, hit: ScoredHit, numbers: LineNumbers): number {
  return (hit.line1 ??= numbers.lineAt(file, hit.matchStart));
}

/** The same hit with another relevance. */
export function withRelevance(hit: RankedHit, relevance: number): RankedHit {
  const { file, lineStart, matchStart, matchEnd, endLine1, isDefinition, isDeclaration } = hit;
  return {
    file,
    get line1() {
      return hit.line1;
    },
    ...(endLine1 === undefined ? {} : { endLine1 }),
    lineStart,
    matchStart,
    matchEnd,
    relevance,
    score: hit.score,
    isDefinition,
    isDeclaration,
  };
}

/** A hit that took the place of another one of its file. */
interface ExchangedHit {
  /** Where the match of the other begins. */
  readonly matchStart: number;
  readonly hit: RankedHit;
}

/** What ranked hits are made of. */
interface RankedParts {
  readonly files: readonly ScoredFile[];
  readonly numbers: LineNumbers;
  readonly firsts: readonly RankedHit[];
  /** What the score of a hit that is not the best of its file is multiplied with. */
  readonly factor: number;
  /** By the hits' file. */
  readonly exchanged: ReadonlyMap<WalkedFile, ExchangedHit>;
}

/**
 * Hits in their order: the best of each file, so that the first page shows where else to look, then the others. The
 * others are put in order when they are asked for: there may be thousands, and most answers show none of them.
 */
export class RankedHits {
  readonly #parts: RankedParts;

  private constructor(parts: RankedParts) {
    this.#parts = parts;
  }

  /**
   * Ranks hits by their scores; ties by path and line.
   *
   * @param files In the byte order of their paths.
   */
  static of(files: readonly ScoredFile[], numbers: LineNumbers): RankedHits {
    const firsts = files
      .map(({ file, hits }) => ({ file, hit: bestOf(hits) }))
      .sort((a, b) => b.hit.score - a.hit.score)
      .map(({ file, hit }) => rankedHit(file, { hit, relevance: hit.score, numbers }));
    const factor = firsts.at(-1)?.relevance ?? 1;
    return new RankedHits({ files, numbers, firsts, factor, exchanged: new Map() });
  }

  /** How many there are. */
  get count(): number {
    return this.#parts.files.reduce((sum, { hits }) => sum + hits.length, 0);
  }

  /** One of each file, best first. */
  get firsts(): readonly RankedHit[] {
    return this.#parts.firsts;
  }

  /** The first hits: at least as many as asked for, if there are so many. */
  first(count: number): readonly RankedHit[] {
    const { firsts } = this.#parts;
    return count <= firsts.length ? firsts : [...firsts, ...this.#others()];
  }

  /** The definitions in a file except the one that is the first hit of it, best first. */
  otherDefinitionsIn(file: WalkedFile): RankedHit[] {
    const { files, numbers, factor } = this.#parts;
    const own = files.filter((each) => each.file === file).flatMap(othersIn);
    return own
      .filter(({ isDefinition }) => isDefinition)
      .sort((a, b) => b.score - a.score)
      .map((hit) => rankedHit(file, { hit, relevance: hit.score * factor, numbers }));
  }

  /** The same hits with the first ones in another order. */
  withFirsts(firsts: readonly RankedHit[]): RankedHits {
    return new RankedHits({ ...this.#parts, firsts });
  }

  /**
   * Lets the first hit of a file and another one of it change places.
   *
   * @param index Of the first hit.
   */
  exchange(index: number, other: RankedHit): RankedHits {
    const firsts = [...this.#parts.firsts];
    const first = firsts[index];
    if (first === undefined) return this;
    firsts[index] = withRelevance(other, first.relevance);
    const hit = withRelevance(first, other.relevance);
    const exchanged = new Map(this.#parts.exchanged);
    exchanged.set(first.file, { matchStart: other.matchStart, hit });
    return new RankedHits({ ...this.#parts, firsts, exchanged });
  }

  #others(): RankedHit[] {
    const { files, numbers, factor, exchanged } = this.#parts;
    // Sorting keeps the order of equals: that of the files, and of the places in them.
    return files
      .flatMap((own) => othersIn(own).map((hit) => ({ file: own.file, hit })))
      .sort((a, b) => b.hit.score - a.hit.score)
      .map(({ file, hit }) => {
        const instead = exchanged.get(file);
        return instead?.matchStart === hit.matchStart
          ? instead.hit
          : rankedHit(file, { hit, relevance: hit.score * factor, numbers });
      });
  }
}

/** The hit with the highest score, the first of equal ones. */
function bestOf(hits: readonly ScoredHit[]): ScoredHit {
  return hits.reduce((best, hit) => (hit.score > best.score ? hit : best));
}

/** The hits of a file without the best, in the order of their places. */
function othersIn({ hits }: ScoredFile): ScoredHit[] {
  const best = bestOf(hits);
  return hits.filter((hit) => hit !== best).sort((a, b) => a.matchStart - b.matchStart);
}

function rankedHit(
  file: WalkedFile,
  from: { readonly hit: ScoredHit; readonly relevance: number; readonly numbers: LineNumbers },
): RankedHit {
  const { hit, relevance, numbers } = from;
  const { lineStart, matchStart, matchEnd, endLine1, isDefinition, isDeclaration } = hit;
  return {
    file,
    get line1() {
      return lineOf(file, hit, numbers);
    },
    ...(endLine1 === undefined ? {} : { endLine1 }),
    lineStart,
    matchStart,
    matchEnd,
    relevance,
    score: hit.score,
    isDefinition,
    isDeclaration,
  };
}
