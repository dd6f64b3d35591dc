import type { WalkedFile } from "../../files/index.ts";
import type { IndexedCorpus } from "../../store/index.ts";

/** An index for searches by meaning. */
export interface MeaningIndex {
  readonly corpus: IndexedCorpus;
  readonly fileOf: (file: number) => WalkedFile;
  readonly numberOf: (file: WalkedFile) => number | undefined;
  /** False for files outside of what is searched; `undefined` where all are inside. */
  readonly isIncluded: ((file: number) => boolean) | undefined;
}

/** Makes an index in memory for searches by meaning. */
export async function indexByMeaning(
  files: readonly WalkedFile[],
  sizes: { readonly chunkSizeCharacters: number; readonly fileSizeBytesMax: number },
): Promise<MeaningIndex> {
  const { indexInMemory } = await import("../../store/index.ts");
  const corpus = await indexInMemory(files, sizes);
  const byPath = new Map(files.map((file) => [file.relativePath, file]));
  return {
    corpus,
    numberOf: ({ relativePath }) => corpus.numberOf(relativePath),
    isIncluded: undefined,
    fileOf: (file) => byPath.get(corpus.pathOf(file)) as WalkedFile,
  };
}
