import { GroupReader, type GroupSlots } from "./group-reader.ts";
import { makePatternMatcher, PatternCostError } from "./matcher.ts";
import type { PatternMatcher } from "./matcher.ts";
import { compileProgram, type PatternProgram } from "./program.ts";
import { parsePattern, type PatternFault, type ParsedPattern } from "./syntax.ts";
import { SpanFinder } from "./span-finder.ts";

/** Steps that one finder takes at most in addition to those that its text may cost: about a second's worth. */
const findStepCountMax = 10_000_000;
/** Steps for each byte of a text that are free. */
const freeStepCount = 8;

/** A place in a text, in bytes; the end is exclusive. */
export interface MatchPlace {
  readonly start: number;
  readonly end: number;
}

/** A compiled pattern for whole texts. Its functions throw a `PatternCostError` when they become too costly. */
export interface PlaceFinder {
  /** Of each group its name, or `undefined`; the first is group 1. */
  readonly groupNames: readonly (string | undefined)[];
  /**
   * Finds the matches within a stretch of a text from left to right, none overlapping another. After an empty one the
   * search goes on a character later, as `String.replace` does.
   *
   * @param text UTF-8 of the whole text: positions and words are judged by what is around the stretch.
   * @param stretch Where matches may lie.
   */
  places(text: Uint8Array, stretch: MatchPlace): Iterable<MatchPlace>;
  /** What the groups matched in a place. */
  groups(text: Uint8Array, place: MatchPlace): GroupSlots;
}

/**
 * Compiles a regular expression whose matches may span lines.
 *
 * @param options.stepCountMax Steps after which a `PatternCostError` ends the search, in addition to eight for each byte of the
 * text; default 10 million, about a second's worth.
 * @returns The finder, or where and why the text is not a pattern.
 */
export function makePlaceFinder(
  source: string,
  options: { readonly stepCountMax?: number } = {},
): { finder: PlaceFinder } | { fault: PatternFault } {
  const parsed = parsePattern(source, { isOverLines: true });
  if ("fault" in parsed) return parsed;
  const compiled = compileProgram(parsed.node);
  if ("fault" in compiled) return compiled;
  return { finder: new Finder(source, parsed, { program: compiled.program, ...options }) };
}

class Finder implements PlaceFinder {
  readonly groupNames: readonly (string | undefined)[];
  readonly #spans: SpanFinder;
  readonly #groups: GroupReader;
  /** Tells lines that hold no match quickly; `undefined` where a match may span lines. */
  readonly #lines: PatternMatcher | undefined;
  #stepsLeft: number;

  constructor(
    source: string,
    parsed: ParsedPattern,
    options: { readonly program: PatternProgram; readonly stepCountMax?: number },
  ) {
    const { program, stepCountMax = findStepCountMax } = options;
    this.#stepsLeft = stepCountMax;
    this.groupNames = parsed.groupNames;
    const pay = (stepCount: number): void => this.#pay(stepCount);
    this.#spans = new SpanFinder(program, pay);
    this.#groups = new GroupReader(program, { groupCount: parsed.groupNames.length, pay });
    const isWithinLines = !program.steps.some(
      (step) => step.kind === "bytes" && step.low <= 0x0a && step.high >= 0x0a,
    );
    const made = isWithinLines ? makePatternMatcher(source) : undefined;
    this.#lines = made !== undefined && "matcher" in made ? made.matcher : undefined;
  }

  *places(text: Uint8Array, stretch: MatchPlace): Generator<MatchPlace> {
    this.#stepsLeft += freeStepCount * (stretch.end - stretch.start);
    let position = stretch.start;
    while (position <= stretch.end) {
      const found = this.#next(text, { start: position, end: stretch.end });
      if (found === undefined) return;
      yield found;
      position = found.end > found.start ? found.end : afterCharacter(text, found.end);
    }
  }

  groups(text: Uint8Array, place: MatchPlace): GroupSlots {
    return this.#groups.read(text, place);
  }

  #next(text: Uint8Array, stretch: MatchPlace): MatchPlace | undefined {
    const lines = this.#lines;
    if (lines === undefined)
      return this.#spans.find(text, stretch.start, stretch.end, { isOfText: true });
    const bytes = Buffer.from(text.buffer, text.byteOffset, text.byteLength);
    let position = stretch.start;
    for (;;) {
      if (lines.requiredBytes.length > 0) {
        const required = bytes.indexOf(lines.requiredBytes, position);
        if (required === -1 || required >= stretch.end) return undefined;
        position = Math.max(position, bytes.lastIndexOf(0x0a, required) + 1);
      }
      const feed = bytes.indexOf(0x0a, position);
      const lineEnd = feed === -1 ? text.length : feed;
      const lineStart = position === 0 ? 0 : bytes.lastIndexOf(0x0a, position - 1) + 1;
      if (lines.isMatch(text, lineStart, lineEnd)) {
        const end = Math.min(lineEnd, stretch.end);
        const found = this.#spans.find(text, position, end, { isOfText: true });
        if (found !== undefined) return found;
      }
      position = lineEnd + 1;
      if (position > stretch.end) return undefined;
    }
  }

  #pay(stepCount: number): void {
    this.#stepsLeft -= stepCount;
    if (this.#stepsLeft < 0)
      throw new PatternCostError("the pattern is too costly for so much text");
  }
}

/** The offset after the character at an offset, or after the text. */
function afterCharacter(text: Uint8Array, offset: number): number {
  let after = offset + 1;
  while (after < text.length && ((text[after] as number) & 0xc0) === 0x80) after += 1;
  return after;
}
