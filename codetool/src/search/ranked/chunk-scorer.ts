import { type Chunk, hashTerm, saturate, scanTerms } from "../../index/index.ts";
import { isCommentLine } from "../scan/index.ts";
import { PathMatcher } from "./path-matcher.ts";
import type { UnitSymbol } from "../places/index.ts";
import type { Phrase } from "./phrase.ts";
import { QuerySpots, type QueryTerms, rootOf } from "../query/index.ts";

/** A definition as far as the choice of a chunk needs it. */
export interface PlacedSymbol extends UnitSymbol {
  /** True when no definition is inside of it. */
  readonly isLeaf: boolean;
}

/** A chunk of a candidate file with its score. */
export interface ScoredChunk {
  readonly chunk: Chunk;
  /** The line to point at: where the best fitting definition begins, else the line that holds most of the query. */
  readonly line1: number;
  /** Where what is to be shown ends; by default with the chunk. */
  readonly endLine1?: number;
  readonly score: number;
  /** What its score is made of, where it is one of chunks. */
  readonly parts?: ChunkParts;
}

/** A file as the choice of a chunk sees it. */
export interface ChunkedFile {
  readonly chunks: readonly Chunk[];
  readonly symbols: readonly PlacedSymbol[];
  /** Whether the file is as it was indexed. */
  readonly isIndexed: boolean;
  /** How many terms each chunk has, where that is known. */
  readonly lengths?: readonly number[];
}

/** Words of a text that may hold a term of the query, ascending. */
interface Spots {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

interface ScoredBody {
  readonly text: Buffer;
  readonly chunk: Chunk;
  readonly spots: Spots;
  readonly length: number | undefined;
}

interface BodyScore {
  readonly bm25: number;
  /** Share of the query that the chunk holds. */
  readonly coverage: number;
  /** The line that holds most of the query. */
  readonly line1: number;
  readonly isComment: boolean;
}

/** What speaks for a chunk among those of its file; each part is 0 to 1. */
export interface ChunkParts {
  /** BM25 of the chunk, against the most that the query could give. */
  readonly chunk: number;
  /** How well the best name that is defined in the chunk fits. */
  readonly name: number;
  /** Share of the query that the chunk holds. */
  readonly coverage: number;
  /** 1 for a chunk that holds the exact query: without it, a longer text about the same words may come first. */
  readonly phrase: number;
}

const weights = { chunk: 0.9, name: 0.3, coverage: 0.25 } as const;
const weightSum = weights.chunk + weights.name + weights.coverage;

/** What each part gives at 1. */
export const partPoints: ChunkParts = {
  chunk: weights.chunk / weightSum,
  name: weights.name / weightSum,
  coverage: weights.coverage / weightSum,
  phrase: 0.6,
};

function weigh({ chunk, name, coverage, phrase }: ChunkParts): number {
  const sum = weights.chunk * chunk + weights.name * name + weights.coverage * coverage;
  return sum / weightSum + partPoints.phrase * phrase;
}

/** What a choice of chunks knows of the corpus. */
export interface ChunkStatistics {
  /** How much a term tells: ln((N - df + 0.5) / (df + 0.5) + 1) over chunks. */
  readonly weightOf: (term: string) => number;
  /** Mean number of terms of a chunk. */
  readonly lengthMean: number;
}

/** Chooses what to show of a file: scores its chunks against each other. */
export class ChunkScorer {
  readonly #phrase: Phrase;
  readonly #statistics: ChunkStatistics;
  readonly #names: PathMatcher;
  readonly #rarity = new Map<string, number>();
  readonly #hashes = new Set<number>();
  readonly #spots: QuerySpots;
  /** BM25 that counts as full marks: the sum of what each word of the query can give. */
  readonly #scoreMax: number;

  constructor(options: {
    readonly query: QueryTerms;
    readonly phrase: Phrase;
    readonly statistics: ChunkStatistics;
  }) {
    this.#phrase = options.phrase;
    this.#statistics = options.statistics;
    this.#names = new PathMatcher(options.query, (term) => options.statistics.weightOf(term));
    let sum = 0;
    for (const [term, weight] of options.query.weights) {
      const rarity = options.statistics.weightOf(term) * weight;
      this.#rarity.set(term, rarity);
      const bytes = Buffer.from(term, "utf8");
      this.#hashes.add(hashTerm(bytes, 0, bytes.length));
      if (weight >= 1) sum += rarity * 1.6;
    }
    this.#scoreMax = Math.max(sum, 1e-9);
    this.#spots = new QuerySpots(options.query.weights.keys());
  }

  /** The chunks of a file that hold something of the query, best first. */
  score(text: Buffer, file: ChunkedFile): ScoredChunk[] {
    const spots = this.#spotsIn(text);
    const { symbols: all, lengths } = file;
    const named = all
      .map((symbol) => ({ line1: symbol.startLine1, score: this.#names.scoreName(symbol.name) }))
      .filter((entry) => entry.score > 0);
    const scored: ScoredChunk[] = [];
    for (const [index, chunk] of file.chunks.entries()) {
      const body = this.#scoreBody({ text, chunk, spots, length: lengths?.[index] });
      const inside = named.filter(
        (entry) => entry.line1 >= chunk.startLine1 && entry.line1 <= chunk.endLine1,
      );
      const best = inside.toSorted((a, b) => b.score - a.score || a.line1 - b.line1)[0];
      const phraseAt = this.#phrase.find(text, chunk.startByte, chunk.endByte);
      if (body.bm25 === 0 && best === undefined && phraseAt < 0) continue;
      const parts = {
        chunk: Math.min(1, body.bm25 / this.#scoreMax),
        name: best?.score ?? 0,
        coverage: body.coverage,
        phrase: phraseAt >= 0 ? 1 : 0,
      };
      const score = weigh(parts);
      if (phraseAt >= 0) {
        const line1 = lineAt(text, chunk, phraseAt);
        scored.push({ chunk, line1, score, parts });
        continue;
      }
      const line1 =
        best !== undefined && best.score >= 0.5
          ? best.line1
          : body.isComment
            ? definitionAfter(all, body.line1)
            : body.line1;
      scored.push({ chunk, line1, score, parts });
    }
    return scored.sort((a, b) => b.score - a.score);
  }

  #spotsIn(text: Buffer): Spots {
    const starts: number[] = [];
    const ends: number[] = [];
    this.#spots.visit(text, (start, end) => {
      starts.push(start);
      ends.push(end);
    });
    return { starts, ends };
  }

  /** BM25 of a chunk with the corpus' rarities, the share of the query in it, and its best line. */
  #scoreBody({ text, chunk, spots, length }: ScoredBody): BodyScore {
    const counts = new Map<string, number>();
    const roots = new Set<string>();
    const seen = new Set<string>();
    let lineScore = 0;
    // oxlint-disable-next-line max-params -- a TermSink: called for each term, an object each would be garbage
    const take = (source: Uint8Array, from: number, to: number, hash: number): void => {
      if (!this.#hashes.has(hash)) return;
      const term = Buffer.from(source.buffer, source.byteOffset + from, to - from)
        .toString("utf8")
        .toLowerCase();
      const rarity = this.#rarity.get(term);
      if (rarity === undefined) return;
      counts.set(term, (counts.get(term) ?? 0) + 1);
      roots.add(rootOf(term));
      if (!seen.has(term)) lineScore += rarity;
      seen.add(term);
    };
    let line1 = chunk.startLine1;
    let start = chunk.startByte;
    let best = { line1, start, score: 0 };
    let end = endOfLineAt(text, start, chunk.endByte);
    const endScore = (): void => {
      if (lineScore > best.score) best = { line1, start, score: lineScore };
      lineScore = 0;
      seen.clear();
    };
    eachSpotIn(spots, chunk, (spotStart, spotEnd) => {
      for (let from = spotStart; from < spotEnd; from = Math.min(spotEnd, end)) {
        for (; from >= end; end = endOfLineAt(text, start, chunk.endByte)) {
          endScore();
          line1 += 1;
          start = end;
        }
        scanTerms(text, from, Math.min(spotEnd, end), take);
      }
    });
    endScore();
    let bm25 = 0;
    const ratio =
      counts.size === 0
        ? 0
        : (length ?? scanTerms(text, chunk.startByte, chunk.endByte, ignoreTerm)) /
          this.#statistics.lengthMean;
    for (const [term, count] of counts)
      bm25 += (this.#rarity.get(term) ?? 0) * saturate(count, ratio);
    const coverage = this.#names.coverage((root) => roots.has(root));
    const isComment = isCommentLine(text, best.start);
    return { bm25, coverage, line1: best.line1, isComment };
  }
}

/** Where the line that begins at an offset ends, its line break included. */
function endOfLineAt(text: Buffer, start: number, endMax: number): number {
  const lineBreak = text.indexOf(0x0a, start);
  return lineBreak < 0 || lineBreak >= endMax ? endMax : lineBreak + 1;
}

/** Visits the parts of spots that lie in a chunk. */
function eachSpotIn(
  { starts, ends }: Spots,
  chunk: Chunk,
  visit: (start: number, end: number) => void,
): void {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ends[middle] as number) <= chunk.startByte) low = middle + 1;
    else high = middle;
  }
  for (let at = low; at < starts.length && (starts[at] as number) < chunk.endByte; at += 1)
    visit(
      Math.max(starts[at] as number, chunk.startByte),
      Math.min(ends[at] as number, chunk.endByte),
    );
}

function ignoreTerm(): void {}

/** The line of an offset within a chunk. */
function lineAt(text: Buffer, chunk: Chunk, offset: number): number {
  let line1 = chunk.startLine1;
  for (
    let at = text.indexOf(0x0a, chunk.startByte);
    at >= 0 && at < offset;
    at = text.indexOf(0x0a, at + 1)
  )
    line1 += 1;
  return line1;
}

/** How far a comment may be above its definition. */
const commentLinesMax = 20;

/** A comment that is shortly before a definition is about it: the definition is what to show. */
function definitionAfter(symbols: readonly PlacedSymbol[], line1: number): number {
  let next: PlacedSymbol | undefined;
  for (const symbol of symbols) {
    const isInside = symbol.startLine1 <= line1 && line1 <= symbol.endLine1;
    if (isInside && symbol.isLeaf) return line1;
    if (symbol.startLine1 > line1 && symbol.startLine1 < (next?.startLine1 ?? Infinity))
      next = symbol;
  }
  return next !== undefined && next.startLine1 - line1 <= commentLinesMax ? next.startLine1 : line1;
}
