/**
 * Regular expressions in linear time: text in, places out, in time proportional to both.
 *
 *     source ──parsePattern──▶ tree ──compileProgram──▶ automaton over UTF-8 bytes
 *                                                         │
 *                      lines (search) ◀── made deterministic on the way, with a count of steps that ends it
 *                      places (edit)  ◀── the same, keeping where each thread began
 *                      groups (edit)  ◀── the threads themselves, each with its groups, over one place that was found
 *
 * JavaScript's regular expressions backtrack, and nothing can stop one in the same thread; so users' patterns run on these
 * (docs/adr/0004-own-patterns.md). There is no look-around and no back-reference, and a pattern that would still be too
 * costly ends with a `PatternCostError` instead of an answer.
 *
 * Alternatives and repetitions are preferred as in Perl: the leftmost place, the first alternative that leads to one.
 *
 * `PatternMatcher` looks at one line at a time and knows no line breaks. `PlaceFinder` looks at a whole text, where a
 * pattern may span lines; `^` and `$` hold at the ends of lines, `\A` and `\z` at those of the text.
 *
 * This folder must not know files, encodings, or what a place is wanted for.
 */
export { makePatternMatcher, PatternCostError, type PatternMatcher } from "./matcher.ts";
export type { GroupSlots } from "./group-reader.ts";
export { makePlaceFinder, type MatchPlace, type PlaceFinder } from "./place-finder.ts";
export type { PatternFault } from "./syntax.ts";
