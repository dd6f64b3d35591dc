import { objectOf } from "./control-reader.ts";
import { type OverviewRow, readOverview } from "./overview.ts";
import { numberIn } from "./shown.ts";

/** What agents did and spent from one picture of `top` to the next. */
export class Pace {
  #seconds = 0;
  #lastSeconds = 0;
  #rows: ReadonlyMap<string, OverviewRow> = new Map();
  #lastRows: ReadonlyMap<string, OverviewRow> = new Map();

  /** True until the first picture was measured. */
  get isNew(): boolean {
    return this.#seconds === 0;
  }

  /** Takes an answer of `/overview`. */
  measure(overview: unknown): void {
    this.#lastSeconds = this.#seconds;
    this.#lastRows = this.#rows;
    this.#seconds = numberIn(objectOf(overview)["timestamp"]);
    this.#rows = new Map(readOverview(overview).map((row) => [row.name, row]));
  }

  /** @returns Tokens a minute between the last two pictures; 0 for an agent that is in one of them only. */
  tokensPerMinute(name: string): number {
    const minutes = (this.#seconds - this.#lastSeconds) / 60;
    return minutes > 0 ? this.#grown(name, "tokens") / minutes : 0;
  }

  /** @returns Mean time of a message between the last two pictures; undefined when none ended. */
  meanMs(name: string): number | undefined {
    const count = this.#grown(name, "latencyCount");
    return count === 0 ? undefined : this.#grown(name, "latencySumMs") / count;
  }

  /** Counters begin at 0 again with another process. */
  #grown(name: string, counter: "tokens" | "latencyCount" | "latencySumMs"): number {
    const now = this.#rows.get(name)?.[counter] ?? 0;
    return Math.max(0, now - (this.#lastRows.get(name)?.[counter] ?? now));
  }
}
