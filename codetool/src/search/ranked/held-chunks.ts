import { hashTerm, scanTerms } from "../../index/index.ts";
import { lowerBound, pathWordsOf, type CorpusView } from "../../store/index.ts";
import type { RankQuery } from "../ranker/index.ts";

type TermPlaces = ReturnType<CorpusView["postingsOf"]> & { readonly hash: number };

/**
 * Tells which chunks of a file hold a word of a query in their text. An index counts the words of a file's path with
 * each of its chunks: these say nothing of a chunk.
 */
export class HeldChunks {
  readonly #corpus: CorpusView;
  readonly #terms: readonly TermPlaces[];

  constructor(query: RankQuery, corpus: CorpusView) {
    this.#corpus = corpus;
    const terms = new Set([...query.groups.flatMap(({ forms }) => forms), ...query.compounds]);
    this.#terms = [...terms]
      .map((term) => ({ hash: hashOf(term), ...corpus.postingsOf("body", term) }))
      .filter(({ documents }) => documents.length > 0);
  }

  /** Their numbers within the file, the first being 0. */
  in(file: number): ReadonlySet<number> {
    const { path, firstChunk, chunkEnd } = this.#corpus.file(file);
    const inPath = countTerms(path);
    const held = new Set<number>();
    for (const { hash, documents, frequencies } of this.#terms) {
      const pathCount = inPath.get(hash) ?? 0;
      for (let at = lowerBound(documents, firstChunk); at < documents.length; at += 1) {
        const chunk = documents[at] as number;
        if (chunk >= chunkEnd) break;
        if ((frequencies[at] as number) > pathCount) held.add(chunk - firstChunk);
      }
    }
    return held;
  }
}

/** How often each term occurs among the words of a path, by its hash. */
function countTerms(path: string): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const words of pathWordsOf(path))
    // oxlint-disable-next-line max-params -- a TermSink: called for each term, an object each would be garbage
    scanTerms(words, 0, words.length, (_text, _start, _end, hash) => {
      counts.set(hash, (counts.get(hash) ?? 0) + 1);
    });
  return counts;
}

function hashOf(term: string): number {
  const bytes = Buffer.from(term, "utf8");
  return hashTerm(bytes, 0, bytes.length);
}
