import {
  type RankedCorpus,
  rankFiles,
  readRankQuery,
} from "../../codetool/src/search/ranker/index.ts";
import type { CorpusStore } from "./corpus-store.ts";
import { OwnStore } from "./own-store.ts";
import { SqliteStore } from "./sqlite-store.ts";

/** The stores that are compared; `none` is a process that stores nothing. */
export type StoreName = "own" | "fts5" | "fts5-trigram" | "postings" | "none";

/** A store by its name, its index in a folder. */
export function storeOf(name: StoreName, folder: string): CorpusStore | undefined {
  switch (name) {
    case "own":
      return new OwnStore(folder);
    case "fts5":
      return new SqliteStore(folder, { words: "fts5", hasTrigrams: false });
    case "fts5-trigram":
      return new SqliteStore(folder, { words: "fts5", hasTrigrams: true });
    case "postings":
      return new SqliteStore(folder, { words: "postings", hasTrigrams: false });
    case "none":
      return undefined;
  }
}

/** The files of an answer in their order, ranked by codetool's own ranker without texts, vectors and imports. */
export function answer(ranked: RankedCorpus, question: string): string {
  const { files } = rankFiles(readRankQuery(question), ranked, {});
  return files.map(({ file }) => ranked.corpus.file(file).path).join("\n");
}
