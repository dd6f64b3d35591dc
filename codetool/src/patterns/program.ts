import { normalizeRanges, type CodePointRange } from "./classes.ts";
import type { PatternAssertion, PatternFault, PatternNode } from "./syntax.ts";

/** One step of a program; numbers are indices of steps. */
export type PatternStep =
  | { readonly kind: "bytes"; readonly low: number; readonly high: number; next: number }
  | { readonly kind: "split"; first: number; second: number }
  | { readonly kind: "assert"; readonly assertion: PatternAssertion; next: number }
  /** The thread remembers the position under a slot: twice a group's number, and one more for its end. */
  | { readonly kind: "save"; readonly slot: number; next: number }
  | { readonly kind: "match" };

/** A pattern as a nondeterministic automaton over UTF-8 bytes. */
export interface PatternProgram {
  readonly steps: readonly PatternStep[];
  readonly start: number;
}

/** Most steps of a program. Matching takes time in proportion to text and steps at worst. */
const stepCountMax = 20_000;

class TooLarge extends Error {}

/**
 * Compiles a parsed pattern.
 *
 * @returns The program, or a fault when the pattern unfolds to more steps than are allowed.
 */
export function compileProgram(
  node: PatternNode,
): { program: PatternProgram } | { fault: PatternFault } {
  const compiler = new Compiler();
  try {
    const match = compiler.add({ kind: "match" });
    const start = compiler.compile(node, match);
    return { program: { steps: compiler.steps, start } };
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    return { fault: { column1: 1, reason: `it unfolds to more than ${stepCountMax} steps` } };
  }
}

/** Builds from the end to the start: each part is compiled with the step that follows it. */
class Compiler {
  readonly steps: PatternStep[] = [];

  add(step: PatternStep): number {
    if (this.steps.length >= stepCountMax) throw new TooLarge();
    this.steps.push(step);
    return this.steps.length - 1;
  }

  compile(node: PatternNode, next: number): number {
    switch (node.kind) {
      case "empty":
        return next;
      case "class":
        return this.#compileClass(node.ranges, next);
      case "assertion":
        return this.add({ kind: "assert", assertion: node.assertion, next });
      case "sequence":
        return node.nodes.reduceRight((after, part) => this.compile(part, after), next);
      case "choice": {
        const starts = node.nodes.map((part) => this.compile(part, next));
        return this.#splitAll(starts);
      }
      case "group": {
        const end = this.add({ kind: "save", slot: 2 * node.group + 1, next });
        return this.add({
          kind: "save",
          slot: 2 * node.group,
          next: this.compile(node.node, end),
        });
      }
      case "repeat":
        return this.#compileRepeat(node, next);
    }
  }

  #splitAll(starts: readonly number[]): number {
    return starts.reduceRight((second, first) => this.add({ kind: "split", first, second }));
  }

  #compileRepeat(node: PatternNode & { kind: "repeat" }, next: number): number {
    let start = next;
    if (node.maximum === Infinity) {
      const loop = this.add({ kind: "split", first: next, second: next });
      const body = this.compile(node.node, loop);
      const step = this.steps[loop] as PatternStep & { kind: "split" };
      if (node.isGreedy) step.first = body;
      else step.second = body;
      start = loop;
    } else {
      for (let count = node.minimum; count < node.maximum; count += 1) {
        const body = this.compile(node.node, start);
        start = node.isGreedy
          ? this.add({ kind: "split", first: body, second: next })
          : this.add({ kind: "split", first: next, second: body });
      }
    }
    for (let count = 0; count < node.minimum; count += 1) start = this.compile(node.node, start);
    return start;
  }

  #compileClass(ranges: readonly CodePointRange[], next: number): number {
    const starts: number[] = [];
    const shared = new Map<string, number>();
    for (const sequence of normalizeRanges(ranges).flatMap(utf8Sequences)) {
      let start = next;
      let key = "";
      // Sequences with the same tail share it.
      for (const [low, high] of sequence.toReversed()) {
        key = `${low}-${high},${key}`;
        const known = shared.get(key);
        start = known ?? this.add({ kind: "bytes", low, high, next: start });
        shared.set(key, start);
      }
      if (!starts.includes(start)) starts.push(start);
    }
    // A class without characters never matches: a byte that UTF-8 does not have means it.
    if (starts.length === 0) return this.add({ kind: "bytes", low: 0xff, high: 0xff, next });
    return this.#splitAll(starts);
  }
}

/** The last code point of each length of UTF-8. */
const lengthEnds = [0x7f, 0x7_ff, 0xff_ff, 0x10_ff_ff] as const;

/** Writes a range of code points as sequences of byte ranges. */
function utf8Sequences([low, high]: CodePointRange): (readonly [number, number])[][] {
  if (low > high) return [];
  // Surrogates have no UTF-8.
  if (low < 0xd8_00 && high >= 0xd8_00)
    return [...utf8Sequences([low, 0xd7_ff]), ...utf8Sequences([0xe0_00, high])];
  if (low >= 0xd8_00 && low <= 0xdf_ff) return utf8Sequences([0xe0_00, high]);
  for (const end of lengthEnds)
    if (low <= end && high > end)
      return [...utf8Sequences([low, end]), ...utf8Sequences([end + 1, high])];
  for (let bits = 6; bits <= 18; bits += 6) {
    const mask = 2 ** bits - 1;
    if (high <= 0x7f || (low & ~mask) === (high & ~mask)) continue;
    if ((low & mask) !== 0)
      return [...utf8Sequences([low, low | mask]), ...utf8Sequences([(low | mask) + 1, high])];
    if ((high & mask) !== mask)
      return [...utf8Sequences([low, (high & ~mask) - 1]), ...utf8Sequences([high & ~mask, high])];
  }
  const lowBytes = utf8Of(low);
  const highBytes = utf8Of(high);
  return [lowBytes.map((byte, index) => [byte, highBytes[index] as number] as const)];
}

function utf8Of(codePoint: number): number[] {
  return [...Buffer.from(String.fromCodePoint(codePoint), "utf8")];
}
