import type { Chunk } from "../../index/index.ts";
import {
  countNames,
  type CountedTokens,
  joinFile,
  openEmbedder,
  type TextEmbedder,
} from "../../model/index.ts";
import type { CodeSymbol } from "../../syntax/index.ts";
import { lowerBound, MemoryStorage, SectionFile, SectionWriter } from "../sections/index.ts";
import { VectorColumns } from "./vector-columns.ts";

/** A file that was cut into chunks. */
export interface ChunkedFile {
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  /** UTF-8. */
  readonly text: Uint8Array;
  /** At least one; without gap or overlap. */
  readonly chunks: readonly Chunk[];
  readonly symbols: readonly CodeSymbol[];
}

/**
 * Embeds the chunks of files whose segment was built without vectors.
 *
 * @param files In the order in which the segment has them.
 * @returns The file `embeddings` of the segment, in memory: the same as if it had been built with an embedder.
 * @throws Error when this copy of codetool is incomplete; BadTokenTable when its table is damaged.
 */
export async function embedLater(
  files: readonly ChunkedFile[],
  generation: number,
): Promise<SectionFile> {
  const sizeBytes = files.reduce((sum, { text }) => sum + text.length, 0);
  const embedder = await openEmbedder(sizeBytes);
  const vectors = new VectorColumns();
  for (const file of files) {
    const contents = file.chunks.map(({ startByte, endByte }) =>
      embedder.countText(file.text.subarray(startByte, endByte)),
    );
    for (const vector of await embedChunks(embedder, file, contents)) vectors.add(vector);
  }
  const storage = new MemoryStorage();
  const writer = new SectionWriter(storage, { kind: "embeddings", generation });
  vectors.write(writer);
  writer.finish();
  return new SectionFile(storage, "embeddings");
}

/**
 * The vectors of a file's chunks, in their order; reads what is missing of the embedder's table.
 *
 * @param contents The tokens of each chunk.
 */
export async function embedChunks(
  embedder: TextEmbedder,
  file: Omit<ChunkedFile, "text">,
  contents: readonly CountedTokens[],
): Promise<Float32Array[]> {
  const { chunks, symbols } = file;
  const ends = Uint32Array.from(chunks, ({ endByte }) => endByte);
  const lists: string[][] = chunks.map(() => []);
  const place = (list: readonly CodeSymbol[]): void => {
    for (const symbol of list) {
      // Chunks lie without gap or overlap.
      lists[lowerBound(ends, symbol.startByte + 1)]?.push(symbol.name);
      place(symbol.children);
    }
  };
  place(symbols);
  const names = lists.map((list) => countNames(embedder, list));
  const path = embedder.countPath(file.path);
  const loading = embedder.load([path, ...names, ...contents]);
  if (loading !== undefined) await loading;
  return joinFile(embedder, { path, names, contents });
}
