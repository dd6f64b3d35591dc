import type { CountedTokens, TextEmbedder } from "./text-embedder.ts";

/** How much the path of a file counts compared with the content of a chunk, both of length one. */
const pathShare = 0.7;
/** How much the names count that a chunk defines. */
const namesShare = 0.3;
/** How much the whole file counts. */
const fileShare = 0.3;

/** A stretch of a file to embed. */
export interface ChunkPlace {
  readonly startByte: number;
  /** Exclusive. */
  readonly endByte: number;
  /** Names of the definitions that begin in it. */
  readonly names: readonly string[];
}

/** A file to embed. */
export interface FileText {
  /** UTF-8. */
  readonly text: Uint8Array;
  /** With forward slashes; its stem and last three folders count. */
  readonly path: string;
  readonly chunks: readonly ChunkPlace[];
}

/**
 * The vectors of a file's chunks. A chunk is what is in it, the path of its file, the names it defines, and a
 * little of what the file around it is about: a chunk of a parser is about parsing even where it counts brackets.
 * Each of the four is taken to length one before their shares are added, so that a long chunk does not drown a path.
 *
 * @returns One of length one for each chunk, in their order; all 0 where no token is known.
 */
export function embedFile(
  embedder: TextEmbedder,
  { text, path, chunks }: FileText,
): Float32Array[] {
  const contents = chunks.map(({ startByte, endByte }) =>
    embedder.countText(text.subarray(startByte, endByte)),
  );
  const names = chunks.map((chunk) => countNames(embedder, chunk.names));
  return joinFile(embedder, { path: embedder.countPath(path), names, contents });
}

/** Counts the tokens of names that a chunk defines. */
export function countNames(embedder: TextEmbedder, names: readonly string[]): CountedTokens {
  return names.length === 0 ? noTokens : embedder.countText(Buffer.from(names.join(" "), "utf8"));
}

const noTokens: CountedTokens = { rows: new Int32Array(0), amounts: new Float32Array(0) };

/** The tokens of a file. */
interface CountedFile {
  readonly path: CountedTokens;
  /** Of the names that each chunk defines. */
  readonly names: readonly CountedTokens[];
  /** Of what is in each chunk. */
  readonly contents: readonly CountedTokens[];
}

/** The same for a file whose tokens were counted already. */
export function joinFile(
  embedder: TextEmbedder,
  { path, names, contents }: CountedFile,
): Float32Array[] {
  const pathVector = embedder.pathVector(path);
  const vectors = contents.map((content) => embedder.vectorOf(content));
  const own = vectors.map((content, index) =>
    weightedSum([
      [content, 1],
      [pathVector, pathShare],
      [embedder.vectorOf(names[index] ?? noTokens), namesShare],
    ]),
  );
  const file = weightedSum(vectors.map((content) => [content, 1]));
  return own.map((vector) =>
    weightedSum([
      [vector, 1],
      [file, fileShare],
    ]),
  );
}

/** Adds vectors in their order, each times its share, and makes the length one. */
function weightedSum(
  parts: readonly (readonly [vector: Float32Array, share: number])[],
): Float32Array {
  const sum = new Float32Array(parts[0]?.[0].length ?? 0);
  for (const [vector, share] of parts)
    for (let axis = 0; axis < sum.length; axis += 1)
      sum[axis] = (sum[axis] as number) + Math.fround((vector[axis] as number) * share);
  let squares = 0;
  for (let axis = 0; axis < sum.length; axis += 1) {
    const value = sum[axis] as number;
    squares += value * value;
  }
  const factor = squares > 0 ? 1 / Math.sqrt(squares) : 0;
  for (let axis = 0; axis < sum.length; axis += 1) sum[axis] = (sum[axis] as number) * factor;
  return sum;
}
