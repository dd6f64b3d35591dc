import { checksumOf } from "../../text/index.ts";
import type { WhyPlace } from "./why-place.ts";
import { findVerbatim, type VerbatimPlace } from "../verbatim/index.ts";
import type { RankedChunk, RankedSearchOptions, SearchedCorpus } from "./searched-corpus.ts";

/** The places of a corpus that say a long part of a query as it is written, most of it first. */
export function verbatimPlaces(
  { query, reader }: Pick<RankedSearchOptions, "query" | "reader">,
  { ranked, fileOf }: SearchedCorpus,
): readonly VerbatimPlace[] {
  const { corpus, isIncluded } = ranked;
  const readText = (file: number): Buffer | undefined => reader.readText(fileOf(file));
  return findVerbatim(query, { corpus, isIncluded, readText });
}

/** The chunks of such places; none of a file that is another by now. */
export function verbatimChunks(
  places: readonly VerbatimPlace[],
  { reader, isExplained }: RankedSearchOptions,
  { ranked, fileOf }: SearchedCorpus,
): RankedChunk[] {
  const { corpus } = ranked;
  return places.flatMap(({ file: number, chunk: at, line1, share }) => {
    const file = fileOf(number);
    const text = reader.readText(file);
    const chunk = corpus.chunksOf(number)[at];
    if (text === undefined || chunk === undefined || corpus.file(number).sizeBytes !== text.length)
      return [];
    const features = [{ feature: "verbatim", value: share, weight: 1 }];
    const explained = isExplained === true ? { features, why: whyVerbatim(share) } : {};
    const checksum = checksumOf(text);
    return [{ file, chunk, line1, score: share, relevance: 1, checksum, ...explained }];
  });
}

/** Why such a place is shown: it is compared with no other of its file. */
export function whyVerbatim(share: number): WhyPlace {
  const value = Math.round(share * 1000) / 1000;
  const what = "share of the query that it says as it is written";
  return { evidence: [{ what, value, points: value }], next: null };
}

/** From this share of a query on, what says it is what was looked for. */
const certainShare = 0.6;

/** Puts such chunks before others. Where they say most of the query, the others are shown in brief. */
export function withVerbatim(
  verbatim: readonly RankedChunk[],
  ranked: readonly RankedChunk[],
): RankedChunk[] {
  const keyOf = ({ file, chunk }: RankedChunk): string => `${chunk.startByte} ${file.relativePath}`;
  const known = new Set(verbatim.map(keyOf));
  const others = ranked.filter((chunk) => !known.has(keyOf(chunk)));
  const isCertain = verbatim.some(({ score }) => score >= certainShare);
  return [
    ...verbatim,
    ...(isCertain ? others.map((chunk) => ({ ...chunk, isBrief: true })) : others),
  ];
}
