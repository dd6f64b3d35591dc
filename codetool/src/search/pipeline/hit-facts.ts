import type { Chunk } from "../../index/index.ts";
import type { CorpusSymbol } from "../../store/index.ts";
import { isQualifiedBy, readQualifiedName } from "../query/index.ts";
import type { RankedCorpus } from "../ranker/index.ts";
import type { PipelineHit } from "./hits.ts";
import { noiseFactorOf } from "./noise.ts";
import { lookUpSymbol } from "./symbol-query.ts";

/** What the index tells of hits, each file's chunks and definitions read once. */
export class HitFacts {
  readonly #ranked: RankedCorpus;
  readonly #pathOf: (file: number) => string;
  readonly #chunks = new Map<number, readonly Chunk[]>();

  /** @param pathOf The path of a file, relative to what is searched. */
  constructor(ranked: RankedCorpus, pathOf: (file: number) => string) {
    this.#ranked = ranked;
    this.#pathOf = pathOf;
  }

  /** The file of a chunk. */
  fileOf(chunk: number): number {
    return this.#ranked.facts.fileOfChunk[chunk] as number;
  }

  /**
   * The chunks in which definitions of a name begin, as the symbol index has them.
   *
   * @param query The name as it was asked for: `Outer::inner`.
   */
  chunksDefining(symbolName: string, query: string): ReadonlySet<number> {
    const { corpus, isIncluded } = this.#ranked;
    const qualifier = readQualifiedName(query)?.qualifier;
    const defined = lookUpSymbol(
      symbolName,
      (name) => corpus.symbolsNamed(name).filter((symbol) => isIncluded?.(symbol.file) !== false),
      ({ file, startLine1 }) =>
        qualifier !== undefined &&
        isQualifiedBy(qualifier, {
          path: this.#pathOf(file),
          line1: startLine1,
          symbols: corpus.symbolsOf(file),
        }),
    );
    const found = new Set<number>();
    for (const { file, startLine1 } of defined) {
      const at = this.#chunksOf(file).findIndex(
        (chunk) => chunk.startLine1 <= startLine1 && startLine1 <= chunk.endLine1,
      );
      if (at >= 0) found.add((corpus.chunkStarts[file] as number) + at);
    }
    return found;
  }

  /** The definitions that begin in a chunk. */
  definitionsIn({ file, chunk }: PipelineHit): readonly CorpusSymbol[] {
    const { corpus, files } = this.#ranked;
    const own = this.#chunksOf(file)[chunk - (corpus.chunkStarts[file] as number)];
    if (own === undefined) return [];
    return files
      .symbolsOf(file)
      .map(({ symbol }) => symbol)
      .filter(({ startLine1 }) => own.startLine1 <= startLine1 && startLine1 <= own.endLine1);
  }

  /** The name of a file without its ending, lower-cased. */
  stemOf(file: number): string {
    return this.#ranked.files.factsOf(file).stem;
  }

  /** The words of a file's stem and of the folder it lies in. */
  pathPartsOf(file: number): readonly string[] {
    const { stemWords, folderWords } = this.#ranked.files.factsOf(file);
    return [...stemWords, ...(folderWords[0] ?? [])];
  }

  /** The files that a file imports or is imported by, however sure that is; none where imports are not known. */
  neighboursOf(file: number): readonly number[] {
    const { importGraph: graph } = this.#ranked.corpus;
    if (graph === undefined) return [];
    return [graph.imports, graph.importers].flatMap(({ starts, files }) => [
      ...files.subarray(starts[file], starts[file + 1]),
    ]);
  }

  /** How much a file counts by what it is for. */
  noiseFactorOf(file: number): number {
    const definesOwn = this.#ranked.files
      .symbolsOf(file)
      .some(({ symbol: { kind } }) => kind !== "const" && kind !== "module");
    return noiseFactorOf(this.#pathOf(file), definesOwn);
  }

  #chunksOf(file: number): readonly Chunk[] {
    let chunks = this.#chunks.get(file);
    if (chunks === undefined) {
      chunks = this.#ranked.corpus.chunksOf(file);
      this.#chunks.set(file, chunks);
    }
    return chunks;
  }
}
