import type { TextEmbedder } from "./text-embedder.ts";

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
    partOf(embedder, { text, startByte, endByte, path: "" }),
  );
  return joinFile(embedder, { path, names: chunks.map(({ names }) => names), contents });
}

/**
 * The same for a file whose chunks were embedded already.
 *
 * @param parts.names Those that each chunk defines.
 * @param parts.contents What is in each chunk, of length one.
 */
export function joinFile(
  embedder: TextEmbedder,
  parts: {
    readonly path: string;
    readonly names: readonly (readonly string[])[];
    readonly contents: readonly Float32Array[];
  },
): Float32Array[] {
  const { path, names, contents } = parts;
  const pathVector = partOf(embedder, { text: new Uint8Array(0), startByte: 0, endByte: 0, path });
  const own = contents.map((content, index) =>
    weightedSum([
      [content, 1],
      [pathVector, pathShare],
      [embedder.embedText((names[index] ?? []).join(" ")), namesShare],
    ]),
  );
  const file = weightedSum(contents.map((content) => [content, 1]));
  return own.map((vector) =>
    weightedSum([
      [vector, 1],
      [file, fileShare],
    ]),
  );
}

function partOf(
  embedder: TextEmbedder,
  part: Parameters<TextEmbedder["embedChunk"]>[0],
): Float32Array {
  const vector = embedder.embedText("");
  embedder.embedChunk(part, vector);
  return vector;
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
