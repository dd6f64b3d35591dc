import {
  edge,
  endOfLine,
  isHolding,
  isWithinCharacter,
  isWordByte,
  otherBefore,
  wordBefore,
} from "./pattern-position.ts";
import type { PatternProgram } from "./pattern-program.ts";

/** Threads in the order of preference; where each began is kept apart, so that a state serves everywhere. */
interface State {
  readonly steps: readonly number[];
  readonly before: number;
  /** By byte, and whether a match may begin there. */
  readonly moves: Map<number, Move>;
}

/** What one byte makes of a state. */
interface Move {
  readonly to: State;
  /** For each thread of `to` the thread it comes from; the one that begins here has the number after the last. */
  readonly sources: readonly number[];
  /** The thread that has matched before the byte, or -1. It cuts off those behind it. */
  readonly matchSource: number;
}

/** States kept at most; beyond it all are forgotten and made again when needed. */
const stateCountMax = 10_000;
/** Threads that cost nothing for a byte once their move is known. */
const freeThreadCount = 8;

/** Finds the place of a match: an automaton made on the way, whose moves say where each thread comes from. */
export class SpanFinder {
  readonly #program: PatternProgram;
  readonly #pay: (stepCount: number) => void;
  readonly #seen: Uint32Array;
  #generation = 0;
  #states = new Map<string, State>();

  /**
   * @param pay Told of the steps taken; may throw to end a search that is too costly.
   */
  constructor(program: PatternProgram, pay: (stepCount: number) => void) {
    this.#program = program;
    this.#pay = pay;
    this.#seen = new Uint32Array(program.steps.length);
  }

  /** The leftmost match in a line, alternatives and repetitions in the order of preference. */
  find(text: Uint8Array, start: number, end: number): { start: number; end: number } | undefined {
    let state = this.#stateOf([], edge);
    let begins: number[] = [];
    let found: { start: number; end: number } | undefined;
    for (let index = start; index <= end; index += 1) {
      if (found !== undefined && begins.length === 0) break;
      const byte = index === end ? endOfLine : (text[index] as number);
      const mayBegin = found === undefined && !isWithinCharacter(byte);
      const { to, sources, matchSource } = this.#moveOf(state, byte, mayBegin);
      if (begins.length > freeThreadCount) this.#pay(begins.length);
      const before = begins;
      if (matchSource >= 0) found = { start: before[matchSource] ?? index, end: index };
      begins = [];
      for (const source of sources) begins.push(before[source] ?? index);
      state = to;
    }
    return found;
  }

  #stateOf(steps: readonly number[], before: number): State {
    const key = `${before}:${steps.join(",")}`;
    const known = this.#states.get(key);
    if (known !== undefined) return known;
    if (this.#states.size >= stateCountMax) this.#states.clear();
    const state = { steps, before, moves: new Map<number, Move>() };
    this.#states.set(key, state);
    return state;
  }

  #moveOf(state: State, byte: number, mayBegin: boolean): Move {
    const key = byte * 2 + (mayBegin ? 1 : 0);
    const known = state.moves.get(key);
    if (known !== undefined) return known;
    const move = this.#makeMove(state, byte, mayBegin);
    state.moves.set(key, move);
    return move;
  }

  #makeMove(state: State, byte: number, mayBegin: boolean): Move {
    const next: number[] = [];
    const sources: number[] = [];
    const reached = new Set<number>();
    this.#generation += 1;
    const threads = mayBegin ? [...state.steps, this.#program.start] : state.steps;
    let matchSource = -1;
    let visitCount = 0;
    for (const [source, thread] of threads.entries()) {
      const stack = [thread];
      for (let index = stack.pop(); index !== undefined; index = stack.pop()) {
        visitCount += 1;
        if (this.#seen[index] === this.#generation) continue;
        this.#seen[index] = this.#generation;
        const step = this.#program.steps[index];
        if (step === undefined) continue;
        if (step.kind === "match") {
          matchSource = source;
          break;
        }
        if (step.kind === "split") stack.push(step.second, step.first);
        else if (step.kind === "assert") {
          if (isHolding(step.assertion, state.before, byte)) stack.push(step.next);
        } else if (byte >= step.low && byte <= step.high && !reached.has(step.next)) {
          reached.add(step.next);
          next.push(step.next);
          sources.push(source);
        }
      }
      if (matchSource >= 0) break;
    }
    // A state is also named and stored, which is dearer than a step.
    this.#pay(100 + visitCount + 10 * next.length);
    const to = this.#stateOf(next, isWordByte(byte) ? wordBefore : otherBefore);
    return { to, sources, matchSource };
  }
}
