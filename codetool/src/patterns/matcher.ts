import { compileProgram, type PatternProgram } from "./program.ts";
import {
  edge,
  endOfLine,
  isHolding,
  isWithinCharacter,
  isAsciiWordByte,
  otherBefore,
  wordBefore,
} from "./position.ts";
import { parsePattern, type PatternFault, requiredLiteral } from "./syntax.ts";
import { SpanFinder } from "./span-finder.ts";

const rowLength = 257;
const unknown = -1;
const matched = -2;

/** Deterministic states kept at most; beyond it all are forgotten and made again when needed. */
const stateCountMax = 10_000;

/**
 * Steps of the nondeterministic automaton that one matcher takes at most, some seconds' worth. A usual pattern needs
 * one for each kind of byte in each of a few states; one that has exponentially many states would need its length for
 * each byte of the text.
 */
const matchStepCountMax = 100_000_000;

/** Thrown by a matcher that has used up its steps. */
export class PatternCostError extends Error {}

/** A compiled pattern. Both functions throw a `PatternCostError` when the pattern is too costly for so much text. */
export interface PatternMatcher {
  /** UTF-8 of a text that every match holds; empty when none is known. */
  readonly requiredBytes: Buffer;
  /**
   * Tells whether a line matches.
   *
   * @param start Byte offset of the line.
   * @param end Byte offset after its last byte, without the line break.
   */
  isMatch(text: Uint8Array, start: number, end: number): boolean;
  /** The leftmost match in a line, alternatives and repetitions in the order of preference. */
  findSpan(
    text: Uint8Array,
    start: number,
    end: number,
  ): { start: number; end: number } | undefined;
}

/** How a pattern is matched. */
export interface PatternMatching {
  /** A match neither begins nor ends between two word characters of ASCII; default false. */
  readonly isWordOnly?: boolean;
}

/**
 * Compiles a regular expression that is matched line by line in linear time: a deterministic automaton made on the way
 * finds the lines, and another one that keeps where its threads began finds the place in a line that matched.
 *
 * @returns The matcher, or where and why the text is not a pattern.
 */
export function makePatternMatcher(
  source: string,
  { isWordOnly = false }: PatternMatching = {},
): { matcher: PatternMatcher } | { fault: PatternFault } {
  const parsed = parsePattern(source);
  if ("fault" in parsed) return parsed;
  const { node } = parsed;
  const compiled = compileProgram(
    isWordOnly ? { kind: "sequence", nodes: [outsideWord, node, outsideWord] } : node,
  );
  if ("fault" in compiled) return compiled;
  return { matcher: new LineMatcher(compiled.program, requiredLiteral(node)) };
}

const outsideWord = { kind: "assertion", assertion: "outsideWord" } as const;

interface State {
  readonly threads: readonly number[];
  readonly before: number;
}

class LineMatcher implements PatternMatcher {
  readonly requiredBytes: Buffer;
  readonly #program: PatternProgram;
  #states: State[] = [];
  #stateByKey = new Map<string, number>();
  #rows = new Int32Array(0);
  readonly #seen: Uint32Array;
  #generation = 0;
  #stepsLeft = matchStepCountMax;
  readonly #spans: SpanFinder;

  constructor(program: PatternProgram, required: string) {
    this.requiredBytes = Buffer.from(required, "utf8");
    this.#program = program;
    this.#seen = new Uint32Array(program.steps.length);
    this.#spans = new SpanFinder(program, (stepCount) => this.#pay(stepCount));
    this.#forgetStates();
  }

  isMatch(text: Uint8Array, start: number, end: number): boolean {
    let state = 0;
    for (let index = start; index <= end; index += 1) {
      const byte = index === end ? endOfLine : (text[index] as number);
      let next = this.#rows[state * rowLength + byte] as number;
      if (next === unknown) next = this.#makeTransition(state, byte);
      if (next === matched) return true;
      state = next;
    }
    return false;
  }

  #forgetStates(): void {
    this.#states = [];
    this.#stateByKey = new Map();
    this.#rows = new Int32Array(16 * rowLength).fill(unknown);
    this.#stateOf([this.#program.start], edge);
  }

  #stateOf(threads: readonly number[], before: number): number {
    const key = `${before}:${threads.join(",")}`;
    const known = this.#stateByKey.get(key);
    if (known !== undefined) return known;
    const index = this.#states.length;
    this.#states.push({ threads, before });
    this.#stateByKey.set(key, index);
    if ((index + 1) * rowLength > this.#rows.length) {
      const rows = new Int32Array(this.#rows.length * 2).fill(unknown);
      rows.set(this.#rows);
      this.#rows = rows;
    }
    return index;
  }

  #makeTransition(stateIndex: number, byte: number): number {
    const state = this.#states[stateIndex] as State;
    const stepped = this.#step(state, byte);
    const rowStart = stateIndex * rowLength;
    if (stepped === undefined) {
      this.#rows[rowStart + byte] = matched;
      return matched;
    }
    const before = isAsciiWordByte(byte) ? wordBefore : otherBefore;
    if (this.#states.length >= stateCountMax) {
      this.#forgetStates();
      return this.#stateOf(stepped, before);
    }
    const next = this.#stateOf(stepped, before);
    this.#rows[rowStart + byte] = next;
    return next;
  }

  #pay(stepCount: number): void {
    this.#stepsLeft -= stepCount;
    if (this.#stepsLeft < 0)
      throw new PatternCostError("the pattern is too costly for so much text");
  }

  /** The threads after a byte, a new one from the start among them; `undefined` when the pattern has matched. */
  #step(state: State, byte: number): number[] | undefined {
    const { steps, start } = this.#program;
    const stack = isWithinCharacter(byte) ? [...state.threads] : [...state.threads, start];
    const next = new Set<number>();
    this.#generation += 1;
    let visitCount = 0;
    while (stack.length > 0) {
      const index = stack.pop() as number;
      visitCount += 1;
      if (this.#seen[index] === this.#generation) continue;
      this.#seen[index] = this.#generation;
      const step = steps[index];
      if (step === undefined) continue;
      if (step.kind === "match") return undefined;
      if (step.kind === "split") stack.push(step.first, step.second);
      else if (step.kind === "save") stack.push(step.next);
      else if (step.kind === "assert") {
        if (isHolding(step.assertion, state.before, byte)) stack.push(step.next);
      } else if (byte >= step.low && byte <= step.high) next.add(step.next);
    }
    // A state is also sorted, named and stored, which is dearer than a step.
    this.#pay(100 + visitCount + 10 * next.size);
    return [...next].sort((a, b) => a - b);
  }

  findSpan(
    text: Uint8Array,
    start: number,
    end: number,
  ): { start: number; end: number } | undefined {
    return this.#spans.find(text, start, end);
  }
}
