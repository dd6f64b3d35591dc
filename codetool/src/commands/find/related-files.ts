import type { WalkedFile } from "../../files/index.ts";
import { DenseFiles, FileReader, RankedCorpus, rankedFilesOf } from "../../search/index.ts";
import type { CommandContext } from "../command.ts";
import {
  embedQuery,
  indexByMeaning,
  openSearched,
  projectWordsAt,
  wholePlace,
} from "../query/index.ts";
import type { Target } from "../paths.ts";
import { readSettings } from "../settings.ts";

/** A file, and how much it has to do with a query. */
export interface RelatedFile<File> {
  readonly file: File;
  /** Above 0 to 1, comparable within an answer. */
  readonly relevance: number;
}

/**
 * Finds the files that are related to a query, best first, 60 at most. It uses the ranker of `search` on the index that
 * covers the target, else on one that is made of these files in memory.
 *
 * @param files Below the target; others neither count nor are found.
 * @param warnings Gets a remark when there is no index, or when it knows less than the tree has.
 */
export async function relatedFiles<File extends WalkedFile>(
  query: string,
  files: readonly File[],
  at: {
    readonly target: Target;
    readonly context: CommandContext;
    readonly warnings: string[];
  },
): Promise<RelatedFile<File>[]> {
  const { target, context, warnings } = at;
  using opened = await openSearched(wholePlace(target), context);
  if (opened === undefined)
    warnings.push("No index: one was built in memory for this search, nothing was written");
  else warnings.push(...opened.warnings);
  const settings = readSettings(context.environment);
  const { corpus, fileOf, numberOf } = opened?.meaning ?? (await indexByMeaning(files, settings));
  const places = new Map<number, File>();
  for (const file of files) {
    const number = numberOf(file);
    if (number !== undefined) places.set(number, file);
  }
  const isIncluded = (number: number): boolean => places.has(number);
  const nearness = await corpus.nearness(await embedQuery(query));
  const ranked = rankedFilesOf(
    { query, reader: new FileReader(), projectWords: projectWordsAt(target) },
    {
      ranked: new RankedCorpus(corpus, isIncluded),
      fileOf,
      dense: new DenseFiles(corpus, nearness, isIncluded),
    },
  );
  return ranked.flatMap(({ file: found, relevance }) => {
    const file = places.get(numberOf(found) ?? -1);
    const rounded = Math.round(relevance * 1e4) / 1e4;
    return file === undefined || rounded <= 0 ? [] : [{ file, relevance: rounded }];
  });
}
