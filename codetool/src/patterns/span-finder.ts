import { beforeOf, edge, endOfLine, isHolding, isWithinCharacter, textEdge } from "./position.ts";
import type { PatternProgram } from "./program.ts";

/** Threads in the order of preference; where each began is kept apart, so that a state serves everywhere. */
interface State {
  readonly steps: readonly number[];
  readonly before: number;
  /** By byte, and whether a match may begin there. */
  readonly moves: Map<number, Move>;
}

/** The move of a state on one byte. */
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

const none: readonly number[] = [];

/** Where the threads after a byte began: where those they come from did, or here. */
function beginsAfter(
  before: readonly number[],
  sources: readonly number[],
  index: number,
): readonly number[] {
  if (sources.length === 0) return none;
  const begins: number[] = [];
  for (const source of sources) begins.push(before[source] ?? index);
  return begins;
}

/** What is before a position of a text. */
function edgeAt(text: Uint8Array, position: number): number {
  return position === 0 ? textEdge : beforeOf(text[position - 1] as number);
}

/** Finds the place of a match: an automaton made on the way, whose moves say where each thread comes from. */
export class SpanFinder {
  readonly #program: PatternProgram;
  readonly #pay: (stepCount: number) => void;
  readonly #seen: Uint32Array;
  #generation = 0;
  #states = new Map<string, State>();

  /**
   * @param pay Called with the number of steps taken; may throw to end a search that is too costly.
   */
  constructor(program: PatternProgram, pay: (stepCount: number) => void) {
    this.#program = program;
    this.#pay = pay;
    this.#seen = new Uint32Array(program.steps.length);
  }

  /**
   * The leftmost match in a stretch, alternatives and repetitions in the order of preference.
   *
   * @param options.isOfText The stretch is a part of a text that goes on before and after it; default false: it is a
   * line, and nothing is around it.
   */
  // oxlint-disable-next-line max-params -- called for each line of a scan: an object each would be garbage
  find(
    text: Uint8Array,
    start: number,
    end: number,
    options: { readonly isOfText?: boolean } = {},
  ): { start: number; end: number } | undefined {
    const isOfText = options.isOfText === true;
    let state = this.#stateOf([], isOfText ? edgeAt(text, start) : edge);
    let begins: readonly number[] = none;
    let found: { start: number; end: number } | undefined;
    let index = start;
    for (; index <= end; index += 1) {
      if (found !== undefined && begins.length === 0) break;
      const isPast = isOfText ? index === text.length : index === end;
      const byte = isPast ? endOfLine : (text[index] as number);
      const mayBegin = found === undefined && !isWithinCharacter(byte);
      const { to, sources, matchSource } = this.#moveOf(state, byte, mayBegin);
      if (begins.length > freeThreadCount) this.#pay(begins.length);
      if (matchSource >= 0) found = { start: begins[matchSource] ?? index, end: index };
      begins = beginsAfter(begins, sources, index);
      state = to;
    }
    // Many places of which each takes a look at all that follows cost the square of the text.
    if (isOfText) this.#pay(index - start);
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
        else if (step.kind === "save") stack.push(step.next);
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
    const to = this.#stateOf(next, beforeOf(byte));
    return { to, sources, matchSource };
  }
}
