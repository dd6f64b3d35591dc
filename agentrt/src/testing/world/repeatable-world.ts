import { AsyncLocalStorage } from "node:async_hooks";
import { SeededRandom } from "../seeded-random.ts";
import { patchClock } from "./patch-clock.ts";
import { patchCrypto } from "./patch-crypto.ts";
import type { WorldView } from "./world-view.ts";

/** What a world is made from. */
export interface WorldOptions {
  readonly seed: number;
  /** Wall clock of the world, milliseconds since the Unix epoch. */
  readonly nowMs: () => number;
  /** Milliseconds since the world began. */
  readonly monotonicMs: () => number;
}

const worlds = new AsyncLocalStorage<RepeatableWorld>();
let isPatched = false;

/**
 * A clock and chance that code reads in place of the process's own. With the first world `Date`, `performance.now`,
 * `process.hrtime`, `process.uptime`, `Math.random` and what `crypto` draws are replaced for the whole process, once:
 * code that no world runs gets what it got before.
 */
export class RepeatableWorld implements WorldView {
  readonly nowMs: () => number;
  readonly monotonicMs: () => number;
  /** How often code has drawn by chance. */
  drawCount = 0;
  readonly #random: SeededRandom;

  constructor({ seed, nowMs, monotonicMs }: WorldOptions) {
    this.nowMs = nowMs;
    this.monotonicMs = monotonicMs;
    this.#random = new SeededRandom(seed, 11);
    patchOnce();
  }

  /** Runs code, and whatever it leaves behind, in this world. */
  run<Result>(code: () => Result): Result {
    if (worlds.getStore() === this) return code();
    return worlds.run(this, code);
  }

  /** @returns A number in [0, 1) with 32 random bits. */
  random(): number {
    this.drawCount += 1;
    return this.#random.next();
  }

  /** Writes bytes by chance. */
  drawInto(bytes: Uint8Array): void {
    this.drawCount += 1;
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = this.#random.nextWord() >>> 24;
  }
}

function patchOnce(): void {
  if (isPatched) return;
  isPatched = true;
  const current = (): WorldView | undefined => worlds.getStore();
  const { random } = Math;
  Math.random = () => current()?.random() ?? random();
  patchClock(current);
  patchCrypto(current);
}
