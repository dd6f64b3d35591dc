import { classOfPath, type WalkedFile } from "../../files/index.ts";
import { type CodeSymbol, releaseTrees } from "../../syntax/index.ts";
import { compareBytes } from "../../text/index.ts";
import { type RankedHit, type RankedHits, withRelevance } from "../scan/index.ts";
import { QueryCorpusBuilder, SubCorpus } from "../corpus/index.ts";
import type { CorpusView } from "../../store/index.ts";
import { RankedCorpus, rankFiles, readRankQuery } from "../ranker/index.ts";
import type { NumberedCorpus, RankedSearchOptions } from "./searched-corpus.ts";

/** Files whose order is worked out; those behind keep theirs. */
const fileCountMax = 100;
const readBytesMax = 8 * 1024 * 1024;
const hitFilesParsedBytesMax = 1024 * 1024;

/**
 * The same two numbers where their texts have to be read, and there are more files than can be put in order anyway: next
 * to nothing decides then which of them are the first ones, and less is spent on their order.
 */
const manyFiles = { fileCountMax: 40, parsedBytesMax: 256 * 1024 } as const;

/** A name, or words: what the ranker can say something about. */
const rankedQuery = /^[\w$]+(?:(?:\s+|\.|::|#|->)[\w$]+)*(?:\(\))?$/;

/** What the files of hits are ranked by. */
export interface HitRankOptions extends RankedSearchOptions {
  /** An index; without one their texts are read. */
  readonly searched?: NumberedCorpus;
}

/**
 * Puts the files of a literal search in the order of the ranker: those that define what was asked for, those that
 * declare it, the others; where the project itself defines it, its tests, documents and copies come last; the lines of a file stay in theirs.
 */
export async function rankHitFiles(options: HitRankOptions, hits: RankedHits): Promise<RankedHits> {
  if (!rankedQuery.test(options.query.trim())) return hits;
  const { firsts } = hits;
  const { searched } = options;
  const areMany = searched === undefined && firsts.length > fileCountMax;
  const chosen = firsts.slice(0, areMany ? manyFiles.fileCountMax : fileCountMax);
  if (chosen.length < 2) return hits;
  const indexed =
    searched === undefined ? undefined : rankIndexed(options, { best: chosen, searched });
  const parsedBytesMax = areMany ? manyFiles.parsedBytesMax : hitFilesParsedBytesMax;
  const order = indexed ?? (await rankChosen(options, chosen, parsedBytesMax));
  const hasOwnDefinition = order.some((hit) => hit.isDefinition && isOwn(hit));
  const tierOf = (hit: RankedHit): number => {
    if (hasOwnDefinition && !isOwn(hit)) return 0;
    return hit.isDefinition ? 3 : hit.isDeclaration ? 2 : 1;
  };
  const ordered = order.toSorted((a, b) => tierOf(b) - tierOf(a));
  // Relevances fall as before; only whose they are has changed.
  const ranked = ordered.map((hit, index) =>
    withRelevance(hit, firsts[index]?.relevance ?? hit.relevance),
  );
  return hits.withFirsts([...ranked, ...firsts.slice(chosen.length)]);
}

/** Ranks by what an index knows of the files; `undefined` where it does not have all of them. */
function rankIndexed(
  options: RankedSearchOptions,
  { best, searched }: { readonly best: readonly RankedHit[]; readonly searched: NumberedCorpus },
): RankedHit[] | undefined {
  const byNumber = new Map<number, RankedHit>();
  for (const hit of best) {
    const number = searched.numberOf(hit.file);
    if (number === undefined) return undefined;
    byNumber.set(number, hit);
  }
  const numbers = [...byNumber.keys()].sort((a, b) => a - b);
  const chosen = numbers.map((number) => byNumber.get(number) as RankedHit);
  return inOrder(options, chosen, new SubCorpus(searched.ranked.corpus, numbers));
}

/** @param chosen In the order of the corpus' files. */
function inOrder(
  options: RankedSearchOptions,
  chosen: readonly RankedHit[],
  corpus: CorpusView,
): RankedHit[] {
  const query = readRankQuery(options.query, options);
  const ranked = new RankedCorpus(corpus);
  const found = rankFiles(query, ranked).files.map(({ file }) => chosen[file] as RankedHit);
  const isFound = new Set(found);
  return [...found, ...chosen.filter((hit) => !isFound.has(hit))];
}

/** @param best The best hit of each file, the best first: of those the definitions are read, as far as that goes. */
async function rankChosen(
  options: RankedSearchOptions,
  best: readonly RankedHit[],
  parsedBytesMax: number,
): Promise<RankedHit[]> {
  const { reader, chunkSizeCharacters } = options;
  const definitions = await readDefinitions(options, best, parsedBytesMax);
  const chosen = best.toSorted((a, b) => compareBytes(a.file.relativePath, b.file.relativePath));
  const query = readRankQuery(options.query, options);
  const terms = [...query.groups.flatMap(({ forms }) => forms), ...query.compounds];
  const builder = new QueryCorpusBuilder({ chunkSizeCharacters, terms });
  let restBytes = readBytesMax;
  for (const { file } of chosen) {
    const { relativePath: path, sizeBytes, language } = file;
    const text = sizeBytes <= restBytes ? reader.readText(file) : undefined;
    restBytes -= text?.length ?? 0;
    const own = definitions.get(path) ?? [];
    builder.add({ path, sizeBytes, language, text: text ?? null, symbols: own });
  }
  return inOrder(options, chosen, builder.finish());
}

/** The definitions of the files by path, as many as may be parsed. */
async function readDefinitions(
  { reader, symbols }: RankedSearchOptions,
  best: readonly RankedHit[],
  parsedBytesMax: number,
): Promise<ReadonlyMap<string, readonly CodeSymbol[]>> {
  const definitions = new Map<string, readonly CodeSymbol[]>();
  const chosen: WalkedFile[] = [];
  let restBytes = parsedBytesMax;
  for (const { file } of best) {
    if (file.sizeBytes > restBytes) continue;
    const text = reader.readText(file);
    if (text === undefined) continue;
    restBytes -= text.length;
    symbols.parseAhead(file, text);
    chosen.push(file);
  }
  for (const file of chosen) {
    await symbols.parsedAhead(file);
    const text = reader.readText(file);
    if (text === undefined) continue;
    definitions.set(file.relativePath, symbols.symbolsOf(file, text));
    await releaseTrees();
  }
  return definitions;
}

const ownClasses: ReadonlySet<string> = new Set(["source", "declarations", "config"]);

/** False for copies, built files, tests and examples: what they define counts where nothing else does. */
function isOwn({ file }: RankedHit): boolean {
  return ownClasses.has(classOfPath(file.relativePath));
}
