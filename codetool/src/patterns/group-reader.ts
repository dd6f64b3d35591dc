import { beforeOf, edge, endOfLine, isHolding, textEdge } from "./position.ts";
import type { PatternProgram } from "./program.ts";

/** Offsets by slot: start and end of the whole at 0 and 1, of group n at 2n and 2n + 1; -1 for a group without part. */
export type GroupSlots = readonly number[];

interface Thread {
  readonly step: number;
  readonly slots: GroupSlots;
}

/** Finds what the groups of a pattern matched in a known place: it runs all threads in parallel, each with its slots. */
export class GroupReader {
  readonly #program: PatternProgram;
  readonly #pay: (stepCount: number) => void;
  readonly #seen: Uint32Array;
  readonly #slotCount: number;
  #generation = 0;

  /**
   * @param options.groupCount Groups of the pattern.
   * @param options.pay Called with the number of steps taken; may throw to end a match that is too costly.
   */
  constructor(
    program: PatternProgram,
    options: { readonly groupCount: number; readonly pay: (stepCount: number) => void },
  ) {
    this.#program = program;
    this.#pay = options.pay;
    this.#seen = new Uint32Array(program.steps.length);
    this.#slotCount = 2 * (options.groupCount + 1);
  }

  /**
   * Reads the groups of a place.
   *
   * @param text The whole text.
   * @param place What a `SpanFinder` of the same program found in it.
   */
  read(text: Uint8Array, place: { readonly start: number; readonly end: number }): GroupSlots {
    const empty: GroupSlots = Array.from({ length: this.#slotCount }, () => -1);
    let threads: readonly Thread[] = [{ step: this.#program.start, slots: empty }];
    for (let index = place.start; index <= place.end; index += 1) {
      const { next, matched } = this.#step(threads, text, index);
      if (index === place.end && matched !== undefined)
        return matched.with(0, place.start).with(1, place.end);
      threads = next;
    }
    throw new Error("a place has no match of the pattern that found it");
  }

  /** The threads after a byte in the order of preference, and the slots of the one that matched before it. */
  #step(
    threads: readonly Thread[],
    text: Uint8Array,
    index: number,
  ): { readonly next: readonly Thread[]; readonly matched: GroupSlots | undefined } {
    const { steps } = this.#program;
    const byte = index === text.length ? endOfLine : (text[index] as number);
    const before = index === 0 ? textEdge : beforeOf(text[index - 1] ?? edge);
    const next: Thread[] = [];
    this.#generation += 1;
    let visitCount = 0;
    for (const thread of threads) {
      const stack: Thread[] = [thread];
      for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
        visitCount += 1;
        if (this.#seen[top.step] === this.#generation) continue;
        this.#seen[top.step] = this.#generation;
        const step = steps[top.step];
        if (step === undefined) continue;
        const { slots } = top;
        if (step.kind === "match") {
          this.#pay(visitCount);
          return { next, matched: slots };
        }
        if (step.kind === "split")
          stack.push({ step: step.second, slots }, { step: step.first, slots });
        else if (step.kind === "save")
          stack.push({ step: step.next, slots: slots.with(step.slot, index) });
        else if (step.kind === "assert") {
          if (isHolding(step.assertion, before, byte)) stack.push({ step: step.next, slots });
        } else if (byte >= step.low && byte <= step.high) next.push({ step: step.next, slots });
      }
    }
    this.#pay(visitCount);
    return { next, matched: undefined };
  }
}
