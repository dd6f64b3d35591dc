import { itemCountMaxOfAll, weightMaxOfAll } from "./limits.ts";

/** How much all lives of a process remember together. */
export class TrailRoom {
  #itemCount = 0;
  #weight = 0;

  /** Asks for room for one more message or reply, until `freeItems`. */
  takeItem(): boolean {
    if (this.#itemCount >= itemCountMaxOfAll) return false;
    this.#itemCount += 1;
    return true;
  }

  freeItems(count: number): void {
    this.#itemCount -= count;
  }

  /** Asks for room for so many characters, until `free`. */
  take(weight: number): boolean {
    if (this.#weight + weight > weightMaxOfAll) return false;
    this.#weight += weight;
    return true;
  }

  free(weight: number): void {
    this.#weight -= weight;
  }
}
