import { TextEmbedder, type TokenTable } from "../../codetool/src/model/index.ts";
import type { IndexedTree } from "./read-tree.ts";

/** Cosines of a file with a query: that of its nearest chunk, and their mean. */
type DenseScores = (file: number) => { readonly max: number; readonly mean: number };

/** Embeds all chunks of a tree, and gives for each query the cosines of its files. */
export function embedTree(tree: IndexedTree, table: TokenTable): (query: string) => DenseScores {
  const { corpus } = tree;
  const embedder = new TextEmbedder(table);
  const { dimensions } = table;
  const vectors = new Float32Array(corpus.chunkCount * dimensions);
  for (const [number, file] of corpus.files.entries()) {
    const text = tree.readText(number);
    if (text === undefined) continue;
    for (const [index, { startByte, endByte }] of corpus.chunksOf(number).entries()) {
      const at = (file.firstChunk + index) * dimensions;
      const vector = vectors.subarray(at, at + dimensions);
      embedder.embedChunk({ text, startByte, endByte, path: file.path }, vector);
    }
  }
  return (query) => {
    const asked = embedder.embedText(query);
    return (number) => {
      const { firstChunk, chunkEnd } = corpus.files[number] ?? { firstChunk: 0, chunkEnd: 0 };
      let max = 0;
      let sum = 0;
      for (let chunk = firstChunk; chunk < chunkEnd; chunk += 1) {
        let cosine = 0;
        for (let axis = 0; axis < dimensions; axis += 1)
          cosine += (asked[axis] as number) * (vectors[chunk * dimensions + axis] as number);
        max = Math.max(max, cosine);
        sum += cosine;
      }
      return { max, mean: sum / Math.max(1, chunkEnd - firstChunk) };
    };
  };
}
