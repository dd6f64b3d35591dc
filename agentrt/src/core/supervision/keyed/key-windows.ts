import { RecencyMap } from "../../values/index.ts";
import type { RestartWindow } from "../restart-window.ts";

/** Most keys whose crashes are remembered while they are not there; beyond it the oldest are forgotten. */
const windowCountMax = 10_000;

/** The crashes of keys that were passivated, as long as they count. */
export class KeyWindows {
  readonly #windows = new RecencyMap<string, RestartWindow>();

  /** @returns The crashes of a key; undefined when none count. */
  get(key: string): RestartWindow | undefined {
    return this.#windows.get(key);
  }

  /** Keeps the crashes of a key that goes. */
  keep(key: string, window: RestartWindow | undefined, nowMs: number): void {
    this.#windows.delete(key);
    if (window === undefined || window.count(nowMs) === 0) return;
    this.#windows.set(key, window);
    const { oldest, size } = this.#windows;
    if (size > windowCountMax && oldest !== undefined) this.#windows.delete(oldest.key);
  }

  /** Forgets the crashes of all keys. */
  clear(): void {
    this.#windows.clear();
  }
}
