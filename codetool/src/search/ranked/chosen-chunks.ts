import { type Chunk, chunkText, scanTerms } from "../../index/index.ts";
import { pathWordsOf, type CorpusView } from "../../store/index.ts";
import { type CodeSymbol, releaseTrees } from "../../syntax/index.ts";
import type { WalkedFile } from "../../files/index.ts";
import { checksumOf } from "../../text/index.ts";
import {
  type ChunkedFile,
  ChunkScorer,
  type PlacedSymbol,
  type ScoredChunk,
} from "./chunk-scorer.ts";
import { HeldChunks } from "./held-chunks.ts";
import { Phrase } from "./phrase.ts";
import type { VerbatimPlace } from "../verbatim/index.ts";
import { verbatimChunks, verbatimPlaces, withVerbatim } from "./verbatim-chunks.ts";
import { readQueryTerms } from "../query/index.ts";
import type { RankedList } from "./lazy-list.ts";
import type {
  ExplainedFeature,
  RankedChunk,
  RankedSearchOptions,
  SearchedCorpus,
} from "./searched-corpus.ts";
import { explainPlace, PlaceScorer, type ScoredPlace } from "../places/index.ts";
import {
  explainFile,
  type NameMatcher,
  type RankedCorpus,
  type RankedFile,
  type RankQuery,
  rarityOf,
} from "../ranker/index.ts";

/** Bytes parsed at most where no index knows the definitions. */
export const unindexedParsedBytesMax = 6 * 1024 * 1024;

/** What the chunks of an answer are chosen from. */
export interface ChosenFrom {
  readonly options: RankedSearchOptions;
  readonly query: RankQuery;
  readonly matcher: NameMatcher;
  /** Best first. */
  readonly files: readonly RankedFile[];
  readonly searched: SearchedCorpus;
}

interface PlacedChunk extends ScoredChunk {
  readonly place: ScoredPlace;
  /** The place of its file that comes behind it; `undefined` for the last one. */
  readonly next: ScoredPlace | undefined;
}

/** A chunk of the list; with its place, where it was chosen by that. */
interface ListedChunk extends RankedChunk {
  readonly place?: ScoredPlace;
}

/** The chunks of a file that are in the list. */
interface FileChunks {
  readonly best: ListedChunk;
  /** Where places are compared: the next one that has a place. */
  readonly second: ListedChunk | undefined;
  /** Finds the others, best first: few answers show one. */
  readonly others: () => readonly ListedChunk[];
}

/** The chunks of the files whose places were compared. */
interface PlacedChunks {
  readonly first: readonly RankedChunk[];
  readonly others: readonly FileChunks["others"][];
  /** How many files they are of. */
  readonly fileCount: number;
}

/** Makes what scores the chunks of a file for a query. */
export function chunkScorerFor(query: string, { corpus, facts }: RankedCorpus): ChunkScorer {
  return new ChunkScorer({
    query: readQueryTerms(query),
    phrase: new Phrase(query),
    statistics: {
      weightOf: (term) =>
        rarityOf(corpus.chunkCount, corpus.postingsOf("body", term).documents.length),
      lengthMean: facts.lengthMeanOf("body"),
    },
  });
}

/** Files whose places are compared with each other; those behind keep their order. */
const placedCountMax = 20;
/** How much worse than by its score the second place of a file comes. */
const secondMargin = 1;
/** A place so much worse than the best is shown in brief. */
const briefGap = 2.5;
/** A place so much below the best has relevance 1/e of it. */
const relevanceScale = 6;

/**
 * The chunks of ranked files. For a question, the places of the first files are compared: the best of each comes where
 * its score says, the second too where it is not much worse. Then those of these files that have no place, then the other
 * files, the best chunk of each, then the other chunks that hold a word of the query. Files are read when their chunks
 * are asked for; how many chunks there are the index tells.
 */
export class ChosenChunks implements RankedList<RankedChunk> {
  readonly count: number;
  readonly #from: ChosenFrom;
  readonly #held: readonly ReadonlySet<number>[];
  #scorer: ChunkScorer | undefined;
  readonly #places: PlaceScorer | undefined;
  readonly #verbatim: readonly VerbatimPlace[];
  #placed: Promise<PlacedChunks> | undefined;

  constructor(from: ChosenFrom) {
    this.#from = from;
    const { ranked, dense } = from.searched;
    const held = new HeldChunks(from.query, ranked.corpus);
    this.#held = from.files.map(({ file }) => held.in(file));
    this.#verbatim = verbatimPlaces(from.options, from.searched);
    const listed = new Set(from.files.map(({ file }) => file));
    const added = this.#verbatim.filter(({ file }) => !listed.has(file)).length;
    this.count = this.#held.reduce((sum, chunks) => sum + Math.max(1, chunks.size), added);
    this.#places =
      from.query.symbolName === null
        ? new PlaceScorer(from.query, from.matcher, dense !== undefined)
        : undefined;
  }

  async first(count: number): Promise<readonly RankedChunk[]> {
    if (this.#verbatim.length === 0) return await this.#firstRanked(count);
    const { options, searched } = this.#from;
    const verbatim = verbatimChunks(this.#verbatim, options, searched);
    const ranked = await this.#firstRanked(count + verbatim.length);
    return withVerbatim(verbatim, ranked).slice(0, count);
  }

  async #firstRanked(count: number): Promise<readonly RankedChunk[]> {
    const { files } = this.#from;
    this.#placed ??= this.#placeChunks();
    const placed = await this.#placed;
    const first: RankedChunk[] = [...placed.first];
    const others = [...placed.others];
    for (const [index, file] of files.entries()) {
      if (first.length >= count) return first.slice(0, count);
      if (index < placed.fileCount) continue;
      const chunks = await this.#chunksOf(file, index);
      if (chunks === undefined) continue;
      const { best, second } = chunks;
      first.push(this.#places === undefined ? best : { ...best, isBrief: true });
      if (second !== undefined) others.push(() => [second]);
      others.push(chunks.others);
    }
    const lowest = files.at(-1)?.relevance ?? 1;
    const found = others.flatMap((find) => find()).sort((a, b) => b.relevance - a.relevance);
    const isBrief = this.#places !== undefined;
    return [
      ...first,
      ...found.map((hit) => ({ ...hit, relevance: hit.relevance * lowest, isBrief })),
    ];
  }

  /** Compares the places of the first files, where the query is a question. */
  async #placeChunks(): Promise<PlacedChunks> {
    if (this.#places === undefined) return { first: [], others: [], fileCount: 0 };
    const files = this.#from.files.slice(0, placedCountMax);
    const compared: (RankedChunk & { readonly comparedScore: number })[] = [];
    const unplaced: RankedChunk[] = [];
    const others: FileChunks["others"][] = [];
    for (const [index, file] of files.entries()) {
      const chunks = await this.#chunksOf(file, index);
      if (chunks === undefined) continue;
      const { best, second } = chunks;
      if (best.place === undefined) unplaced.push(best);
      else compared.push({ ...best, comparedScore: best.score });
      if (second !== undefined)
        compared.push({ ...second, comparedScore: second.score - secondMargin });
      others.push(chunks.others);
    }
    compared.sort((a, b) => b.comparedScore - a.comparedScore);
    const most = compared[0]?.comparedScore ?? 0;
    const top = files[0]?.relevance ?? 1;
    const first = compared.map(({ comparedScore, ...chunk }) => ({
      ...chunk,
      relevance: top * Math.exp((comparedScore - most) / relevanceScale),
      isBrief: most - comparedScore > briefGap,
    }));
    // Their scores cannot be compared with those of places.
    const lowest = first.at(-1)?.relevance ?? top;
    const last = unplaced.map((chunk) => ({
      ...chunk,
      relevance: Math.min(chunk.relevance, lowest),
      isBrief: first.length > 0,
    }));
    return { first: [...first, ...last], others, fileCount: files.length };
  }

  /** The chunks of a file that are in the list; `undefined` for one that is gone or empty. */
  async #chunksOf(entry: RankedFile, index: number): Promise<FileChunks | undefined> {
    const { options, searched } = this.#from;
    const file = searched.fileOf(entry.file);
    const text = options.reader.readText(file);
    if (text === undefined) return undefined;
    const { corpus } = searched.ranked;
    const structure = await structureOf({ number: entry.file, file, text }, corpus, options);
    const placed = this.#placesOf(text, structure, { entry, index });
    const scored = placed ?? new Pulled(this.#scoreChunks(text, structure).values());
    // A file that is found only by its meaning is shown where that is nearest, one found by its name from its beginning.
    const nearest = searched.dense?.figuresOf(entry.file).nearestChunk ?? 0;
    const best = scored.at(0) ?? wholeChunk(structure.chunks[nearest] ?? structure.chunks[0]);
    if (best === undefined) return undefined;
    const own = { file, checksum: checksumOf(text) };
    const scale = entry.relevance / Math.max(best.score, Number.MIN_VALUE);
    // Read where it is asked for: other searches start without it.
    const why =
      options.isExplained === true ? (await import("./why-chunk.ts")).whyChunk : undefined;
    const asked = { query: this.#from.query, weights: this.#places?.weights };
    const explain = (chunk: ScoredChunk) =>
      why === undefined
        ? {}
        : {
            features: [...this.#explainPlace(chunk), ...explainFile(entry)],
            ...why(chunk, scored.behind(chunk), asked),
          };
    const listed = (chunk: ScoredChunk, relevance: number): ListedChunk => ({
      ...chunk,
      ...own,
      ...explain(chunk),
      relevance,
    });
    const second = placed && this.#secondOf(structure, placed, index);
    return {
      best: listed(best, entry.relevance),
      second: second && listed(second, entry.relevance / 2),
      others: () => {
        const others = this.#othersOf(structure, scored.all().slice(1), { best, index });
        return others.flatMap((chunk, at) => {
          if (chunk === second) return [];
          const relevance = placed === undefined ? chunk.score * scale : entry.relevance / (2 + at);
          return [listed(chunk, relevance)];
        });
      },
    };
  }

  /** The first place behind the best that lies in a chunk which the index says holds a word. */
  #secondOf(
    { chunks }: ChunkedFile,
    placed: Pulled<PlacedChunk>,
    index: number,
  ): PlacedChunk | undefined {
    const held = this.#held[index];
    if (held === undefined || held.size < 2) return undefined;
    for (let at = 1; ; at += 1) {
      const next = placed.at(at);
      if (next === undefined || held.has(chunks.indexOf(next.chunk))) return next;
    }
  }

  /** The chunks by their words; what scores them is made where no places are compared. */
  #scoreChunks(text: Buffer, structure: ChunkedFile): readonly ScoredChunk[] {
    const { options, searched } = this.#from;
    this.#scorer ??= chunkScorerFor(options.query, searched.ranked);
    return this.#scorer.score(text, structure);
  }

  /** The best place of each chunk, best first; `undefined` where places are not compared. */
  #placesOf(
    text: Buffer,
    { chunks, symbols, isIndexed }: ChunkedFile,
    { entry, index }: { readonly entry: RankedFile; readonly index: number },
  ): Pulled<PlacedChunk> | undefined {
    if (this.#places === undefined) return undefined;
    const { searched, files } = this.#from;
    const { corpus } = searched.ranked;
    const { path, firstChunk, chunkEnd } = corpus.file(entry.file);
    const { dense } = searched;
    const places = this.#places.score({
      path,
      text,
      symbols,
      chunks,
      ...(dense === undefined || !isIndexed
        ? {}
        : { nearness: dense.nearness.subarray(firstChunk, chunkEnd) }),
      nearest: dense?.nearest ?? 1,
      below: (files[0]?.score ?? 0) - entry.score,
      rank: index,
    });
    return new Pulled(bestOfChunks(places, chunks));
  }

  #explainPlace({ place }: ScoredChunk & Partial<PlacedChunk>): readonly ExplainedFeature[] {
    return this.#places === undefined || place === undefined
      ? []
      : explainPlace(place, this.#places.weights);
  }

  /** As many as were counted: those that the index says hold a word, scored ones first. */
  #othersOf(
    { chunks }: ChunkedFile,
    scored: readonly ScoredChunk[],
    { best, index }: { readonly best: ScoredChunk; readonly index: number },
  ): readonly ScoredChunk[] {
    const held = this.#held[index] ?? new Set();
    const wanted = new Set([...held].map((number) => chunks[number]));
    wanted.delete(best.chunk);
    const known = scored.filter(({ chunk }) => wanted.delete(chunk));
    const rest = [...wanted].flatMap((chunk) =>
      chunk === undefined ? [] : [{ chunk, line1: chunk.startLine1, score: 0 }],
    );
    return [...known, ...rest].slice(0, Math.max(0, held.size - 1));
  }
}

/** The best place of each chunk, best first. */
function* bestOfChunks(
  places: readonly ScoredPlace[],
  chunks: readonly Chunk[],
): Generator<PlacedChunk, undefined> {
  const seen = new Set<unknown>();
  for (const [at, place] of places.entries()) {
    const { endLine1, score } = place;
    // A unit of one chunk need not be looked through to know that a better one of it is there.
    const own = chunkAt(chunks, place.startLine1);
    if (own !== undefined && own.endLine1 >= endLine1 && seen.has(own)) continue;
    const line1 = place.line1();
    const chunk = chunkAt(chunks, line1);
    if (chunk === undefined || seen.has(chunk)) continue;
    seen.add(chunk);
    yield { chunk, line1, endLine1, score, place, next: places[at + 1] };
  }
}

/** What an iterator gives, pulled as far as it is asked for. */
class Pulled<Item> {
  readonly #rest: Iterator<Item>;
  readonly #items: Item[] = [];

  constructor(rest: Iterator<Item>) {
    this.#rest = rest;
  }

  /** The item at a place; `undefined` behind the last. */
  at(place: number): Item | undefined {
    while (this.#items.length <= place) {
      const next = this.#rest.next();
      if (next.done === true) return undefined;
      this.#items.push(next.value);
    }
    return this.#items[place];
  }

  /** What comes behind an item. */
  behind(item: Item): Item | undefined {
    const all = this.all();
    return all[all.indexOf(item) + 1];
  }

  /** All of them. */
  all(): readonly Item[] {
    this.at(Infinity);
    return this.#items;
  }
}

/** The chunk that holds a line. */
function chunkAt(chunks: readonly Chunk[], line1: number): Chunk | undefined {
  let low = 0;
  let high = chunks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((chunks[middle] as Chunk).endLine1 < line1) low = middle + 1;
    else high = middle;
  }
  const chunk = chunks[low];
  return chunk !== undefined && chunk.startLine1 <= line1 ? chunk : undefined;
}

function wholeChunk(chunk: ScoredChunk["chunk"] | undefined): ScoredChunk | undefined {
  return chunk === undefined ? undefined : { chunk, line1: chunk.startLine1, score: 1 };
}

/** Chunks and definitions of a file: as the index has them, else read again where the file is another by now. */
export async function structureOf(
  { number, file, text }: { number: number; file: WalkedFile; text: Buffer },
  corpus: CorpusView,
  { symbols, chunkSizeCharacters }: RankedSearchOptions,
): Promise<ChunkedFile> {
  const stored = corpus.symbolsOf(number);
  const hasChanged = corpus.file(number).sizeBytes !== text.length;
  if (!hasChanged && !symbols.hasOf(file, text)) {
    const parents = new Set(stored.map(({ parent }) => parent));
    const placed = stored.map((symbol, index) => ({ ...symbol, isLeaf: !parents.has(index) }));
    return {
      chunks: corpus.chunksOf(number),
      symbols: placed,
      isIndexed: true,
      get lengths() {
        return lengthsWithoutPath(corpus, number);
      },
    };
  }
  const isParsed =
    symbols.hasOf(file, text) || symbols.parsedBytes + text.length <= unindexedParsedBytesMax;
  const own = isParsed ? symbols.symbolsOf(file, text) : [];
  await releaseTrees();
  return {
    chunks: chunkText(text, own, chunkSizeCharacters),
    symbols: placeSymbols(own, null, []),
    isIndexed: false,
  };
}

/** All definitions of a tree of them, outer ones before those inside. */
function placeSymbols(
  symbols: readonly CodeSymbol[],
  parent: number | null,
  into: PlacedSymbol[],
): PlacedSymbol[] {
  for (const { name, kind, startLine1, endLine1, isExported, children } of symbols) {
    const own = into.length;
    const isLeaf = children.length === 0;
    into.push({ name, kind, startLine1, endLine1, isExported, parent, isLeaf });
    placeSymbols(children, own, into);
  }
  return into;
}

/** Numbers of terms of a file's chunks: the index counts the words of its path among them. */
function lengthsWithoutPath(corpus: CorpusView, number: number): number[] {
  const { path, firstChunk, chunkEnd } = corpus.file(number);
  let pathLength = 0;
  for (const words of pathWordsOf(path))
    pathLength += scanTerms(words, 0, words.length, () => undefined);
  const lengths = corpus.lengthsOf("body").subarray(firstChunk, chunkEnd);
  return Array.from(lengths, (length) => length - pathLength);
}
