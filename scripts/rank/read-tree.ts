import { readFileSync } from "node:fs";
import { walkFiles, type WalkedFile } from "../../codetool/src/files/index.ts";
import { MemoryCorpusBuilder } from "../../codetool/src/search/memory-corpus.ts";
import type { CorpusView } from "../../codetool/src/search/index.ts";
import { extractSymbols, releaseTrees } from "../../codetool/src/syntax/index.ts";
import { isBinary } from "../../codetool/src/text/index.ts";

/** A tree indexed in memory. */
export interface IndexedTree {
  readonly corpus: CorpusView;
  readonly files: readonly WalkedFile[];
  readonly readText: (file: number) => Buffer | undefined;
}

/** Indexes a tree with all of its definitions. */
export async function readTree(root: string): Promise<IndexedTree> {
  const { files } = walkFiles({ root, environment: {}, sizeBytesMax: 1 << 20 });
  const builder = new MemoryCorpusBuilder({ chunkSizeCharacters: 1500 });
  const read = (file: WalkedFile): Buffer | undefined => {
    const text = readFileSync(file.absolutePath);
    return isBinary(text) ? undefined : text;
  };
  for (const file of files) {
    const text = read(file);
    const symbols =
      text === undefined || file.language === null
        ? []
        : extractSymbols(text.toString("utf8"), file.language).symbols;
    const { relativePath: path, sizeBytes, language } = file;
    builder.add({ path, sizeBytes, language, text: text ?? null, symbols });
    await releaseTrees();
  }
  const corpus = builder.finish();
  return {
    corpus,
    files,
    readText: (number) => {
      const file = files[number];
      return file === undefined ? undefined : read(file);
    },
  };
}
