import { setTimeout } from "node:timers/promises";
import type { Service } from "./service.ts";

/** The customers of the hour: light, and never in a hurry. */
export class Traffic {
  /** Answers that the archive gets in a second. */
  answersPerSecond = 1;
  /** Tickets that the search for frauds gets each time. */
  fraudTickets = 1;
  /** How late the service answered lately, milliseconds; the newest last. */
  readonly #delaysMs: number[] = [];
  readonly #service: Service;
  readonly #ended = new AbortController();

  constructor(service: Service) {
    this.#service = service;
    let n = 0;
    this.#each(1000, () => this.#send(`/tickets/${(n += 1)}`, { text: "My parcel is lost" }));
    this.#each(1000, () => this.#send("/read", { text: "I was charged twice" }));
    this.#each(1000, () => this.#send("/mailer/later", { to: "a customer" }));
    this.#each(2000, () => this.#send("/lookup/later", { street: "Main Street" }));
    this.#each(2000, () => this.#send("/refunds/later", { amount: 20 }));
    this.#each(5000, () => this.#send("/digest/later", { text: "The day was quiet." }));
    this.#each(6000, () => this.#send("/fraud/later", { tickets: this.fraudTickets }));
    this.#each(100, () => {
      const isDue = this.answersPerSecond >= 10 || n % 10 === 0;
      n += this.answersPerSecond >= 10 ? 0 : 1;
      if (isDue) this.#send("/archive/later", { answer: "We look into it." });
    });
    this.#each(250, () => void this.#measure());
  }

  /** The longest that the service took for the simplest question, in the last seconds. */
  get longestDelayMs(): number {
    return Math.max(0, ...this.#delaysMs);
  }

  end(): void {
    this.#ended.abort();
  }

  #each(ms: number, act: () => void): void {
    const { signal } = this.#ended;
    const run = async (): Promise<void> => {
      while (!signal.aborted) {
        act();
        await setTimeout(ms, undefined, { signal });
      }
    };
    run().catch(ends);
  }

  #send(path: string, body: object): void {
    this.#service.ask(path, body).catch(ends);
  }

  async #measure(): Promise<void> {
    const before = performance.now();
    await this.#service.control("/ready").catch(ends);
    this.#delaysMs.push(performance.now() - before);
    if (this.#delaysMs.length > 32) this.#delaysMs.shift();
  }
}

/** Customers leave when an answer takes too long, and the hour ends one day. */
function ends(): void {}
