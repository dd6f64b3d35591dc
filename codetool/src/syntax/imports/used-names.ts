import { nameHashStart, nameHashStep } from "../../text/index.ts";
import type { UsedNames } from "./import-syntax.ts";

/** Different names that are kept; a file with more is data. */
const usedNameCountMax = 1 << 16;

const dot = 0x2e;

/**
 * Finds the words of a text that may be names of others, as hashes. No string is made on the way.
 *
 * @returns Ascending, each once.
 */
export function usedNamesOf(source: string, wanted: UsedNames): Uint32Array {
  const names = new HashSet();
  let index = 0;
  while (index < source.length && names.size < usedNameCountMax) {
    let unit = source.charCodeAt(index);
    if (!isWordUnit(unit)) {
      index += 1;
      continue;
    }
    const isWanted =
      wanted === "capital"
        ? isCapital(unit)
        : !isDigit(unit) && (index === 0 || source.charCodeAt(index - 1) !== dot);
    let hash = nameHashStart;
    while (isWordUnit(unit)) {
      hash = nameHashStep(hash, unit);
      index += 1;
      unit = index < source.length ? source.charCodeAt(index) : 0;
    }
    if (isWanted) names.add(hash >>> 0);
  }
  return names.sorted();
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function isCapital(unit: number): boolean {
  if (unit < 0x80) return unit >= 0x41 && unit <= 0x5a;
  const letter = String.fromCharCode(unit);
  return letter !== letter.toLowerCase();
}

/** ASCII letters, digits, underscore, and everything beyond ASCII. */
function isWordUnit(unit: number): boolean {
  if (unit >= 0x80) return true;
  const folded = unit | 0x20;
  return (folded >= 0x61 && folded <= 0x7a) || isDigit(unit) || unit === 0x5f;
}

/** A set of 32-bit numbers with open addressing; 0 is kept apart because it marks a free place. */
class HashSet {
  #slots = new Uint32Array(1 << 9);
  #hasZero = false;
  size = 0;

  add(hash: number): void {
    if (hash === 0) {
      this.#hasZero = true;
      return;
    }
    const mask = this.#slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    while (this.#slots[slot] !== 0) {
      if (this.#slots[slot] === hash) return;
      slot = (slot + 1) & mask;
    }
    this.#slots[slot] = hash;
    this.size += 1;
    if (this.size * 2 > this.#slots.length) this.#grow();
  }

  sorted(): Uint32Array {
    const filled = this.#slots.filter((hash) => hash !== 0);
    const all = this.#hasZero ? Uint32Array.of(0, ...filled) : filled;
    return all.sort();
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Uint32Array(old.length * 4);
    this.size = 0;
    for (const hash of old) if (hash !== 0) this.add(hash);
  }
}
