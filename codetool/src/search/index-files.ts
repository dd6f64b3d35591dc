import type { WalkedFile } from "../files/index.ts";
import { releaseTrees } from "../syntax/index.ts";
import type { FileReader } from "./file-reader.ts";
import { MemoryCorpusBuilder } from "./memory-corpus.ts";
import { RankedCorpus } from "./ranker/feature-rows.ts";
import type { SearchedCorpus } from "./ranked-search.ts";
import type { SymbolReader } from "./symbol-reader.ts";

/** Indexes files in memory, with all that they define: what many searches over one tree are answered from. */
export async function indexFiles(
  files: readonly WalkedFile[],
  options: {
    readonly reader: FileReader;
    readonly symbols: SymbolReader;
    readonly chunkSizeCharacters: number;
  },
): Promise<SearchedCorpus> {
  const { reader, symbols, chunkSizeCharacters } = options;
  const builder = new MemoryCorpusBuilder({ chunkSizeCharacters });
  for (const file of files) {
    const text = reader.readText(file) ?? null;
    const own = text === null ? [] : symbols.symbolsOf(file, text);
    const { relativePath: path, sizeBytes, language } = file;
    builder.add({ path, sizeBytes, language, text, symbols: own });
    await releaseTrees();
  }
  return {
    ranked: new RankedCorpus(builder.finish()),
    fileOf: (file) => files[file] as WalkedFile,
  };
}
