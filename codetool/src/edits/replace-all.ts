import { makePlaceFinder, PatternCostError, type PlaceFinder } from "../patterns/index.ts";
import { lineEndAt, lineViewOf, withLineEnds } from "./line-view.ts";
import type { LostComment } from "./lost-comments.ts";
import { PieceList, tightHunk, type TextHunk } from "./piece-list.ts";
import { readTemplate, type TemplatePart } from "./replacement-template.ts";
import { applyEdits, moveStretches, type Stretch, type TextEdit } from "./text-edit.ts";

/** A text to search for, and its replacement. */
export interface Replacement {
  readonly find: string;
  readonly replace: string;
}

/** Replacements that were checked. */
export type CheckedReplacement =
  | (Replacement & { readonly pattern?: undefined })
  | (Replacement & { readonly pattern: PlaceFinder; readonly template: readonly TemplatePart[] });

/** A text with some parts replaced. */
export interface EditedText {
  readonly text: string;
  readonly hunks: readonly TextHunk[];
  readonly replacementCount: number;
  /** Which of the replacements found nothing, from 0. */
  readonly unfound: readonly number[];
  /** Of those that replaced the first of several places, how many more there are. */
  readonly further: readonly FurtherPlaces[];
  /** Comments that are gone with what was replaced; default none. */
  readonly lost?: readonly LostComment[];
}

/** Places that were left as they are, because only the first was to be replaced. */
export interface FurtherPlaces {
  /** Which replacement, from 0. */
  readonly index: number;
  readonly count: number;
  /** There may be more: counting ends at 10,000, and where a pattern becomes too costly. */
  readonly isLeast: boolean;
  /** Line of the first of them in the text after the replacements before this one, from 1; `null` where none was found. */
  readonly nextLine1: number | null;
}

const furtherCountMax = 10_000;

/** Where and how much is replaced. */
export interface ReplaceOptions {
  /** Sorted, without overlap; default the whole text. */
  readonly within?: readonly Stretch[];
  /** All places, not only the first. */
  readonly isAll: boolean;
}

/**
 * Checks replacements before any text is touched.
 *
 * @param options.isPattern They are regular expressions with groups.
 * @returns The replacements; or which one is wrong, and why.
 */
export function checkReplacements(
  replacements: readonly Replacement[],
  options: { readonly isPattern: boolean },
): readonly CheckedReplacement[] | { readonly argument: string; readonly fault: string } {
  const checked: CheckedReplacement[] = [];
  for (const { find, replace } of replacements) {
    const argument = find.length > 100 ? `${find.slice(0, 100)}…` : find;
    if (find === "") return { argument: "find", fault: "it is empty" };
    if (!find.isWellFormed() || !replace.isWellFormed())
      return { argument, fault: "it holds half of a surrogate pair" };
    if (!options.isPattern) {
      checked.push({ find, replace });
      continue;
    }
    const made = makePlaceFinder(find);
    if ("fault" in made)
      return {
        argument,
        fault: `it is not a pattern: at column ${made.fault.column1}, ${made.fault.reason}`,
      };
    const template = readTemplate(replace, made.finder.groupNames);
    if ("fault" in template) return { argument: replace, fault: template.fault };
    checked.push({ find, replace, pattern: made.finder, template });
  }
  return checked;
}

/**
 * Applies replacements one after another, each to the result of the one before.
 *
 * A line feed in the searched text means either line end, and a line feed in the replacement becomes the line end of its
 * place. If the searched text has a carriage return, both are used unchanged.
 *
 * @throws PatternCostError when a pattern is too costly for so long a text.
 */
export function replaceInText(
  text: string,
  replacements: readonly CheckedReplacement[],
  options: ReplaceOptions,
): EditedText {
  const pieces = new PieceList(text.length);
  let current = text;
  let within = options.within ?? [{ start: 0, end: text.length }];
  let replacementCount = 0;
  const unfound: number[] = [];
  const further: FurtherPlaces[] = [];
  for (const [index, replacement] of replacements.entries()) {
    const { find, pattern } = replacement;
    const isVerbatim = find.includes("\r") || (pattern !== undefined && find.includes("\\r"));
    const left: LeftPlaces = { count: 0, start: 0, isLeast: false };
    const asked = { within, isAll: options.isAll, isVerbatim, left };
    const found = findEdits(current, replacement, asked);
    if (found.length === 0) {
      unfound.push(index);
      continue;
    }
    if (left.count > 0 || left.isLeast) {
      const nextLine1 = left.count === 0 ? null : lineAt(current, left.start);
      further.push({ index, count: left.count, isLeast: left.isLeast, nextLine1 });
    }
    replacementCount += found.length;
    pieces.apply(found);
    within = moveStretches(within, found);
    current = applyEdits(current, found);
  }
  const texts = { before: text, after: current };
  const hunks = pieces.hunks().flatMap((hunk) => tightHunk(texts, hunk) ?? []);
  return { text: current, hunks, replacementCount, unfound, further };
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

interface FindOptions {
  readonly within: readonly Stretch[];
  readonly isAll: boolean;
  readonly isVerbatim: boolean;
  readonly left: LeftPlaces;
}

/** Gets the places that are left, and where the first of them begins. */
interface LeftPlaces {
  count: number;
  start: number;
  /** There may be more. */
  isLeast: boolean;
}

function findEdits(
  text: string,
  replacement: CheckedReplacement,
  options: FindOptions,
): TextEdit[] {
  const view = options.isVerbatim
    ? { text, toText: (offset: number) => offset, toView: (offset: number) => offset }
    : lineViewOf(text);
  const stretches = options.within.map(({ start, end }) => ({
    start: view.toView(start),
    end: view.toView(end),
  }));
  const isPlain = options.isVerbatim || view.text.length === text.length;
  const adapt = (part: string, start: number): string =>
    isPlain || !part.includes("\n") ? part : withLineEnds(part, lineEndAt(text, start));
  const edits: TextEdit[] = [];
  const places =
    replacement.pattern === undefined
      ? literalPlaces(view.text, replacement.find, stretches)
      : patternPlaces(view.text, replacement, stretches);
  for (let next = places.next(); next.done !== true; next = places.next()) {
    const place = next.value;
    const start = view.toText(place.start);
    const end = view.toText(place.end);
    const parts = place.parts ?? [{ text: replacement.replace }];
    const becomes = parts.map((part) =>
      "text" in part
        ? adapt(part.text, start)
        : text.slice(view.toText(part.start), view.toText(part.end)),
    );
    edits.push({ start, end, text: becomes.join("") });
    if (!options.isAll) break;
  }
  if (!options.isAll && edits.length > 0) countOthers(places, view, options.left);
  return edits;
}

/** Counts what a search has still to give. A pattern that becomes too costly for that ends the count. */
function countOthers(
  places: Generator<FoundPlace>,
  view: { readonly toText: (offset: number) => number },
  left: LeftPlaces,
): void {
  try {
    for (const { start } of places) {
      if (left.count === furtherCountMax) {
        left.isLeast = true;
        return;
      }
      if (left.count === 0) left.start = view.toText(start);
      left.count += 1;
    }
  } catch (error) {
    if (!(error instanceof PatternCostError)) throw error;
    left.isLeast = true;
  }
}

interface FoundPlace extends Stretch {
  /** The replacement, if it depends on the place: texts, and parts of the view. */
  readonly parts?: readonly ({ readonly text: string } | Stretch)[];
}

function* literalPlaces(
  text: string,
  find: string,
  stretches: readonly Stretch[],
): Generator<FoundPlace> {
  for (const stretch of stretches) {
    let start = text.indexOf(find, stretch.start);
    while (start !== -1 && start + find.length <= stretch.end) {
      yield { start, end: start + find.length };
      start = text.indexOf(find, start + find.length);
    }
  }
}

function* patternPlaces(
  text: string,
  { pattern, template }: CheckedReplacement & { readonly pattern: PlaceFinder },
  stretches: readonly Stretch[],
): Generator<FoundPlace> {
  const bytes = Buffer.from(text, "utf8");
  const toUnits = unitCounter(bytes, text.length);
  const toBytes = (offset: number): number =>
    bytes.length === text.length ? offset : Buffer.byteLength(text.slice(0, offset), "utf8");
  const needsGroups = template.some((part) => "group" in part && part.group > 0);
  for (const stretch of stretches) {
    const place = { start: toBytes(stretch.start), end: toBytes(stretch.end) };
    for (const found of pattern.places(bytes, place)) {
      const start = toUnits(found.start);
      const end = toUnits(found.end);
      const slots = needsGroups ? pattern.groups(bytes, found) : [];
      const parts = template.map((part) => {
        if ("text" in part) return part;
        if (part.group === 0) return { start, end };
        const groupStart = slots[2 * part.group] ?? -1;
        if (groupStart < 0) return { text: "" };
        const before = unitsBetween(bytes, found.start, groupStart);
        const groupEnd = slots[2 * part.group + 1] as number;
        const length = unitsBetween(bytes, groupStart, groupEnd);
        return { start: start + before, end: start + before + length };
      });
      yield { start, end, parts };
    }
  }
}

function unitsBetween(bytes: Buffer, start: number, end: number): number {
  return bytes.toString("utf8", start, end).length;
}

/** Makes a function from byte offsets, given in rising order, to UTF-16 units. */
function unitCounter(bytes: Buffer, unitCount: number): (byteOffset: number) => number {
  if (bytes.length === unitCount) return (byteOffset) => byteOffset;
  let bytePosition = 0;
  let unitPosition = 0;
  return (byteOffset) => {
    unitPosition += unitsBetween(bytes, bytePosition, byteOffset);
    bytePosition = byteOffset;
    return unitPosition;
  };
}
