import { nameHashStart, nameHashStep } from "../../text/index.ts";
import type { UsedNames } from "./syntax.ts";
import { capitalUnit, classOfUnit, digitUnit, isWordUnit } from "./word-units.ts";

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
  const isCapitalWanted = wanted === "capital";
  const isDotAllowed = wanted === "word";
  const { length } = source;
  let index = 0;
  while (index < length && names.size < usedNameCountMax) {
    let unit = source.charCodeAt(index);
    if (!isWordUnit(unit)) {
      index += 1;
      continue;
    }
    const begin = classOfUnit(unit);
    const isWanted = isCapitalWanted
      ? (begin & capitalUnit) !== 0
      : (begin & digitUnit) === 0 &&
        (isDotAllowed || index === 0 || source.charCodeAt(index - 1) !== dot);
    if (!isWanted) {
      do index += 1;
      while (index < length && isWordUnit(source.charCodeAt(index)));
      continue;
    }
    let hash = nameHashStart;
    do {
      hash = nameHashStep(hash, unit);
      index += 1;
      unit = index < length ? source.charCodeAt(index) : 0;
    } while (isWordUnit(unit));
    names.add(hash >>> 0);
  }
  return names.sorted();
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
