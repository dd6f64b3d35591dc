import { readFileSync } from "node:fs";
import { walkFiles, type WalkedFile } from "../../codetool/src/files/index.ts";
import { indexInMemory, type IndexedCorpus } from "../../codetool/src/store/index.ts";
import { isBinary } from "../../codetool/src/text/index.ts";

/** A tree indexed in memory. */
export interface IndexedTree {
  readonly corpus: IndexedCorpus;
  readonly files: readonly WalkedFile[];
  readonly readText: (file: number) => Buffer | undefined;
}

/** Indexes a tree with all of its definitions, and the vectors of its chunks. */
export async function readTree(root: string): Promise<IndexedTree> {
  const fileSizeBytesMax = 1 << 20;
  const { files } = walkFiles({ root, environment: {}, sizeBytesMax: fileSizeBytesMax });
  const corpus = await indexInMemory(files, { chunkSizeCharacters: 1500, fileSizeBytesMax });
  const byPath = new Map(files.map((file) => [file.relativePath, file]));
  return {
    corpus,
    files,
    readText: (number) => {
      const file = byPath.get(corpus.files[number]?.path ?? "");
      if (file === undefined) return undefined;
      const text = readFileSync(file.absolutePath);
      return isBinary(text) ? undefined : text;
    },
  };
}
