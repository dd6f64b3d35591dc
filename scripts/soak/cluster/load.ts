/** Increments of keyed counters from many clients, each with an id that comes once, and what became of them. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Operation } from "./history.ts";
import { gatewayPort } from "./project.ts";

const keyCount = 1000;
/** Keys that half of the load goes to, so that some have many operations at once. */
const hotKeyCount = 20;
const answerMsMax = 15_000;

/** Clients of the counters. */
export class CounterLoad {
  readonly operations: Operation[] = [];
  readonly faultCounts = new Map<string, number>();
  readonly #addresses: readonly string[];
  readonly #random: () => number;
  #preferred = 0;
  #nextId = 0;
  #isEnded = false;
  #lanes: Promise<unknown> = Promise.resolve();

  /**
   * @param addresses Of the supervisors; one of them answers.
   * @param random Which keys are taken.
   */
  constructor(addresses: readonly string[], random: () => number) {
    this.#addresses = addresses;
    this.#random = random;
  }

  start(laneCount: number): void {
    this.#lanes = Promise.all(Array.from({ length: laneCount }, async () => await this.#lane()));
  }

  /** Ends when what is under way has ended. */
  async end(): Promise<void> {
    this.#isEnded = true;
    await this.#lanes;
  }

  get keys(): string[] {
    return Array.from({ length: keyCount }, (_, index) => `k${index}`);
  }

  /** Increments a key, until one increment was answered. @returns False when it was not within the time. */
  async untilServed(key: string, limitMs: number): Promise<boolean> {
    const untilMs = performance.now() + limitMs;
    while (performance.now() < untilMs) {
      if (await this.ask(key)) return true;
      await sleep(100);
    }
    return false;
  }

  async #lane(): Promise<void> {
    while (!this.#isEnded) {
      const count = this.#random() < 0.5 ? hotKeyCount : keyCount;
      const isServed = await this.ask(`k${Math.floor(count * this.#random())}`);
      await sleep(isServed ? 20 : 200);
    }
  }

  /** Some handlers take long: a worker that is held up is often in the middle of one. */
  #waitMs(): number {
    const longestMs = this.#random() < 0.25 ? 400 : 20;
    return Math.floor(longestMs * this.#random());
  }

  /** Increments a key once. @returns True when that was answered. */
  async ask(key: string, waitMs = this.#waitMs()): Promise<boolean> {
    const id = (this.#nextId += 1).toString(36);
    const index = this.#preferred;
    const beganMs = performance.now();
    const outcome = await post(this.#addresses[index] ?? "", {
      key,
      id,
      waitMs,
    });
    const endedMs = performance.now();
    if (typeof outcome === "string") {
      this.faultCounts.set(outcome, (this.faultCounts.get(outcome) ?? 0) + 1);
      if (this.#preferred === index) this.#preferred = (index + 1) % this.#addresses.length;
      // Nobody listened: it was not sent.
      if (outcome !== "ECONNREFUSED")
        this.operations.push({ id, key, beganMs, endedMs, fault: outcome });
      return false;
    }
    this.operations.push({ id, key, beganMs, endedMs, value: outcome });
    return true;
  }
}

/** @returns The value, or what it failed with. */
async function post(address: string, body: object): Promise<number | string> {
  try {
    const response = await fetch(`http://${address}:${gatewayPort}/count`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(answerMsMax),
    });
    const answer = (await response.json()) as {
      readonly value?: number;
      readonly code?: string;
      readonly error?: string;
    };
    if (response.status === 200 && typeof answer.value === "number") return answer.value;
    return `${response.status} ${answer.code ?? (answer.error ?? "").replaceAll(/'[^']*'/g, "'…'")}`;
  } catch (error) {
    const { name, cause } = error as Error & { readonly cause?: { readonly code?: string } };
    return cause?.code ?? name;
  }
}
