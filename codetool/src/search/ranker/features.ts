import type { DenseFigures } from "./dense-files.ts";
import type { FileFacts, SymbolFacts } from "./file-facts.ts";
import type { Candidate } from "./candidates.ts";
import type { NameFit, NameMatcher } from "./name-words.ts";
import type { RankQuery } from "./query.ts";
import type { TextFacts } from "./text-facts.ts";

/** All that a feature may look at. */
export interface FeatureInput {
  readonly query: RankQuery;
  readonly matcher: NameMatcher;
  readonly candidate: Candidate;
  readonly path: FileFacts;
  /** The definitions whose names may hold a word of the query, or a name in it. */
  readonly symbols: readonly SymbolFacts[];
  readonly symbolCount: number;
  /** Those of them whose names carry something of the query. */
  readonly fits: readonly FittingSymbol[];
  readonly text: TextFacts;
  readonly lineCount: number;
  readonly language: string | null;
  /** The largest figure of any candidate of the query, at least a little above 0. */
  readonly most: { readonly [figure in Figure]: number };
  /** How much of the tree depends on it by imports, 0 to 1; 0 where that is not known. */
  readonly importance: number;
  readonly dense: DenseFigures;
}

/** A definition whose name carries something of the query. */
export interface FittingSymbol extends NameFit {
  readonly named: SymbolFacts;
}

type Figure =
  | "chunkPlain"
  | "chunkMerged"
  | "secondMerged"
  | "filePlain"
  | "fileMerged"
  | "namesPlain"
  | "namesMerged"
  | "commentsMerged";

type Feature = (input: FeatureInput) => number;

const typeKinds: ReadonlySet<string> = new Set([
  "class",
  "struct",
  "interface",
  "trait",
  "enum",
  "type",
  "module",
]);

function bestFit(input: FeatureInput, isCounted: (symbol: SymbolFacts) => boolean): number {
  let best = 0;
  for (const { named, share, precision } of input.fits)
    if (isCounted(named)) best = Math.max(best, share * (0.4 + 0.6 * precision));
  return best;
}

function shareSum({ fits }: FeatureInput): number {
  let sum = 0;
  for (const { share } of fits) sum += share;
  return sum;
}

function definitionValue(input: FeatureInput, names: readonly string[]): number {
  if (names.length === 0) return 0;
  let sum = 0;
  for (const name of names) {
    let best = 0;
    for (const { symbol } of input.symbols) {
      const isSame = symbol.name === name;
      if (!isSame && symbol.name.toLowerCase() !== name.toLowerCase()) continue;
      const kind = typeKinds.has(symbol.kind) ? 1 : symbol.kind === "function" ? 0.9 : 0.6;
      best = Math.max(best, kind * (isSame ? 1 : 0.6) * (symbol.parent === null ? 1 : 0.8));
    }
    sum += best;
  }
  return sum / names.length;
}

function wordCount(query: RankQuery): number {
  return Math.max(1, query.groups.length);
}

function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits >>> 0; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

/** The features that need a file's text. */
export const textFeatures: readonly string[] = ["head", "pairs", "phrase"];

/** The features in the order of the weights. */
export const features: { readonly [name: string]: Feature } = {
  chunkPlain: ({ candidate, most }) => candidate.chunkPlain / most.chunkPlain,
  chunkMerged: ({ candidate, most }) => candidate.chunkMerged / most.chunkMerged,
  chunkLog: ({ candidate, most }) => Math.log(0.02 + candidate.chunkMerged / most.chunkMerged),
  second: ({ candidate, most }) => candidate.secondMerged / most.secondMerged,
  filePlain: ({ candidate, most }) => candidate.filePlain / most.filePlain,
  fileMerged: ({ candidate, most }) => candidate.fileMerged / most.fileMerged,
  fileLog: ({ candidate, most }) => Math.log(0.02 + candidate.fileMerged / most.fileMerged),
  namesPlain: ({ candidate, most }) => candidate.namesPlain / most.namesPlain,
  namesMerged: ({ candidate, most }) => candidate.namesMerged / most.namesMerged,
  comments: ({ candidate, most }) => candidate.commentsMerged / most.commentsMerged,
  coverChunk: ({ candidate, matcher }) => matcher.shareOf(candidate.heldByChunk),
  coverFile: ({ candidate, matcher }) => matcher.shareOf(candidate.heldByFile),
  coverNames: ({ candidate, matcher }) => matcher.shareOf(candidate.heldByNames),
  coverComments: ({ candidate, matcher }) => matcher.shareOf(candidate.heldByComments),
  countFile: ({ candidate, query }) => bitCount(candidate.heldByFile) / wordCount(query),
  coverAll: ({ candidate, query }) =>
    bitCount(candidate.heldByFile) === query.groups.length ? 1 : 0,
  stem: ({ matcher, path }) => matcher.fit(path.stemWords).share,
  stemPrecision: ({ matcher, path }) => matcher.fit(path.stemWords).precision,
  stemBoth: ({ matcher, path }) => {
    const { share, precision } = matcher.fit(path.stemWords);
    return share * precision;
  },
  stemFull: ({ matcher, path }) => (matcher.fit(path.stemWords).precision === 1 ? 1 : 0),
  stemCount: ({ matcher, path, query }) =>
    bitCount(matcher.groupsOfAll(path.stemWords)) / wordCount(query),
  folder: ({ matcher, path }) => matcher.fit(path.folderWords[0] ?? []).share,
  folderPrecision: ({ matcher, path }) => matcher.fit(path.folderWords[0] ?? []).precision,
  folders: ({ matcher, path }) => matcher.fit(path.folderWords.slice(0, 3).flat()).share,
  foldersAll: ({ matcher, path }) => matcher.fit(path.folderWords.slice(1).flat()).share,
  coverPath: ({ matcher, path }) =>
    matcher.shareOf(
      matcher.groupsOfAll([...path.stemWords, ...path.folderWords.slice(0, 3).flat()]),
    ),
  coverPathNames: ({ matcher, path, candidate }) =>
    matcher.shareOf(matcher.groupsOfAll(path.stemWords) | candidate.heldByNames),
  stemInside: ({ path, query }) =>
    query.groups.some(({ word }) => word.length >= 4 && path.stem.includes(word)) ? 1 : 0,
  name: (input) => bestFit(input, () => true),
  nameType: (input) => bestFit(input, ({ symbol }) => typeKinds.has(symbol.kind)),
  nameTop: (input) => bestFit(input, ({ symbol }) => symbol.parent === null && symbol.isExported),
  nameDensity: (input) => shareSum(input) / (input.symbolCount + 3),
  nameCount: (input) => Math.log1p(shareSum(input)),
  defines: (input) =>
    input.query.symbolName === null ? 0 : definitionValue(input, [input.query.symbolName]),
  definesAsked: (input) =>
    input.query.symbolName === null ? definitionValue(input, input.query.identifiers) : 0,
  stemIsName: ({ query, path }) => {
    const name = query.symbolName?.toLowerCase();
    if (name === undefined) return 0;
    const stem = path.stem.replaceAll(/[^a-z0-9]/g, "");
    const folded = name.replaceAll(/[^a-z0-9]/g, "");
    if (stem === folded || stem === `${folded}s`) return 1;
    return stem.length >= 4 && (folded.startsWith(stem) || stem.startsWith(folded)) ? 0.5 : 0;
  },
  stemIsAsked: ({ query, path }) => {
    const stem = path.stem.replaceAll(/[^a-z0-9]/g, "");
    return query.identifiers.some(
      (name) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "") === stem,
    )
      ? 1
      : 0;
  },
  head: ({ text }) => text.head,
  pairs: ({ text }) => text.pairs,
  phrase: ({ text }) => text.phrase,
  isTest: ({ path, query }) => (path.fileClass === "test" && !query.isTestWanted ? 1 : 0),
  isTestAsked: ({ path, query }) => (path.fileClass === "test" && query.isTestWanted ? 1 : 0),
  isExample: ({ path, query }) => (path.fileClass === "example" && !query.isExampleWanted ? 1 : 0),
  isDocs: ({ path, query }) => (path.fileClass === "docs" && !query.isDocsWanted ? 1 : 0),
  isDeclarations: ({ path }) => (path.fileClass === "declarations" ? 1 : 0),
  isConfig: ({ path, query }) => (path.fileClass === "config" && !query.isConfigWanted ? 1 : 0),
  isData: ({ path }) => (path.fileClass === "data" ? 1 : 0),
  isGenerated: ({ path }) => (path.fileClass === "generated" ? 1 : 0),
  isVendored: ({ path }) => (path.fileClass === "vendored" ? 1 : 0),
  isEntry: ({ path }) => (path.isEntry ? 1 : 0),
  isUnknown: ({ language }) => (language === null ? 1 : 0),
  isShort: ({ lineCount }) => (lineCount < 30 ? 1 : 0),
  size: ({ lineCount }) => Math.log2(Math.max(8, Math.min(4096, lineCount))) / 12,
  symbolCount: ({ symbolCount }) => Math.log1p(Math.min(400, symbolCount)) / 6,
  depth: ({ path }) => Math.min(8, path.folderWords.length) / 8,
  importance: ({ importance }) => Math.log1p(1000 * importance) / Math.log(1001),
  denseShare: ({ dense }) => dense.share,
  denseRank: ({ dense }) => dense.reciprocalRank,
};
