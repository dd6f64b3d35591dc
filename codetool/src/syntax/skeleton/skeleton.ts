import { byteOffsetsOf } from "../byte-offsets.ts";
import { commentRangesOf } from "../comment-ranges.ts";
import { docLineOf } from "./doc-line.ts";
import { formatOf, skeletonOfFormat } from "../formats/index.ts";
import { syntaxOf } from "../languages/index.ts";
import { type CommentRun, type SkeletonDetail, writeSkeleton } from "./write-skeleton.ts";
import type { CodeSymbol } from "../symbol.ts";

/** What a skeleton has at most of the text's characters, where leaving out more can reach it. */
const wantedShare = 0.1;
/** What it may have before private signatures give way to names: they tell more than what is left out before. */
const signaturesShare = 0.15;
/** A skeleton of fewer characters leaves nothing out: what is said of a small file is short. */
const smallLength = 600;

/** From all that there is to say to the bare signatures; the first that takes no more than its share is taken. */
const levels: readonly (SkeletonDetail & { readonly share: number })[] = [
  { hiddenAs: "signatures", docsOf: "all", hasFields: true, share: wantedShare },
  { hiddenAs: "signatures", docsOf: "code", hasFields: false, share: wantedShare },
  {
    hiddenAs: "signatures",
    docsOf: "code",
    docLengthMax: 40,
    hasFields: false,
    share: signaturesShare,
  },
  { hiddenAs: "names", docsOf: "code", hasFields: false, share: wantedShare },
  { hiddenAs: "names", docsOf: "code", docLengthMax: 40, hasFields: false, share: wantedShare },
  { hiddenAs: "names", docsOf: "types", hasFields: false, share: wantedShare },
];

/**
 * Shortens a source to its declarations: one line a signature, below the first line of its documentation.
 *
 * - The bodies of functions become an ellipsis comment; types keep their members. Imports, statements, decorators and
 *   other comments go, and values that take more than a short line.
 * - A tenth of the text is aimed at. Where that is not reached, fields and their documentation go, then that of functions
 *   is cut. Where that still takes more than 15 %, what a file or type hides is named only, and last the documentation of
 *   functions goes. The signatures of what is offered always stay.
 * - Of a file that defines nothing the outermost lines stay.
 *
 * @param text The source that the symbols were extracted from.
 * @param symbols What `extractSymbols` found in it.
 * @param language The language's name.
 * @returns The text itself when the language has no grammar and is not a data format.
 */
export function skeletonOf(text: string, symbols: readonly CodeSymbol[], language: string): string {
  const format = formatOf(language);
  if (format !== undefined) return skeletonOfFormat(text, symbols, format);
  const syntax = syntaxOf(language);
  const runs = syntax === undefined ? undefined : commentRuns(text, language);
  if (syntax === undefined || runs === undefined) return text;
  const source = { bytes: Buffer.from(text, "utf8"), syntax, runs, head: headOf(text, runs) };
  const weight = weightOf(text);
  let skeleton = text;
  for (const { share, ...detail } of levels) {
    skeleton = writeSkeleton(symbols, { ...source, detail });
    if (weightOf(skeleton) <= Math.max(smallLength, weight * share)) break;
  }
  return skeleton.length < text.length ? skeleton : text;
}

/** Characters, a run of white space as one: indentation costs a reader nearly nothing. */
function weightOf(text: string): number {
  return text.replace(/\s+/g, " ").length;
}

/** The comments, line comments on lines in a row as one. */
function commentRuns(text: string, language: string): CommentRun[] | undefined {
  const comments = commentRangesOf(text, language, { withDocumentation: true });
  if (comments === undefined) return undefined;
  const runs: { start: number; end: number }[] = [];
  for (const { start, end } of comments) {
    const last = runs.at(-1);
    const isNext = last !== undefined && /^[ \t]*\r?\n[ \t]*$/.test(text.slice(last.end, start));
    const isBlock = /^(?:\/\*|\{-|[rRbBuU]*['"])/.test(text.slice(start, start + 3));
    if (last !== undefined && isNext && !isBlock) last.end = end;
    else runs.push({ start, end });
  }
  const toBytes = byteOffsetsOf(text);
  return runs.map(({ start, end }) => ({
    start: toBytes(start),
    end: toBytes(end),
    text: text.slice(start, end),
  }));
}

/** The first comment before any code that is not a licence: it tells what the file is for. */
function headOf(text: string, runs: readonly CommentRun[]): CommentRun | undefined {
  const bytes = Buffer.from(text, "utf8");
  let end = 0;
  for (const run of runs) {
    const before = bytes.toString("utf8", end, run.start).replace(/^\uFEFF?(?:#!.*|<\?php)/, "");
    if (before.trim() !== "") return undefined;
    const isLicence = /\b(?:licen[cs]ed?|copyright)\b/i.test(run.text);
    if (!isLicence && docLineOf(run.text) !== undefined) return run;
    end = run.end;
  }
  return undefined;
}
