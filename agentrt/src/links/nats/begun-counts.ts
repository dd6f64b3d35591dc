import type { System } from "../../core/index.ts";
import { faultOf, faultReason, NatsBucket } from "../../nats/index.ts";

/** What counts are kept with. */
export interface BegunCountsInit {
  readonly bucket: Parameters<typeof NatsBucket.open>[0];
  readonly system: Pick<System, "monotonicMs" | "setTimer">;
  /** Waits for an answer of the server, which fails when the connection is lost or is another one. */
  readonly attempt: <Result>(asked: Promise<Result>) => Promise<Result>;
  readonly onFailed: (reason: string) => void;
}

/** A count that could not be read: the message is looked at again after that time. */
export interface CountLater {
  readonly waitMs: number;
}

/** The wait after the first try that failed, and the longest, milliseconds. */
const [waitFirstMs, waitLastMs] = [250, 8000];
/** Tries in a row after which messages go on without their count: where the server is away, and where it refuses them. */
const [awayTryCountMax, refusedTryCountMax] = [8, 4];

/**
 * How often the handling of messages was begun that come again, in a bucket, by their ids. It is made with the first of them.
 * A bucket that cannot be used is tried again, each time after a longer wait. A message is worth more than its count: after some
 * tries it is handled without one, and the bucket is tried again for those that come later.
 */
export class BegunCounts {
  readonly #init: BegunCountsInit;
  #opening: Promise<NatsBucket> | undefined;
  #isStopped = false;
  /** Tries in a row that failed. */
  #failedCount = 0;
  /** Monotonic time of the next try after one that failed. */
  #nextTryMs = 0;
  /** True while messages are handled without a count. */
  #isGivenUp = false;

  constructor(init: BegunCountsInit) {
    this.#init = init;
  }

  /** @returns How often it was counted; undefined where that cannot be known: the message is handled all the same. */
  async read(id: string): Promise<number | CountLater | undefined> {
    const counted = await this.#tried(async (bucket) => {
      const entry = await bucket.get(id);
      return entry === undefined || entry.isDeleted
        ? 0
        : Number(new TextDecoder().decode(entry.value)) || 0;
    });
    if (counted !== undefined) return counted.result;
    return this.#isGivenUp ? undefined : { waitMs: this.#waitMs };
  }

  /** Keeps a count: tries until the server has it, or until counts are given up. */
  async write(id: string, count: number): Promise<void> {
    const value = new TextEncoder().encode(String(count));
    while (!this.#isStopped) {
      const written = await this.#tried(async (bucket) => await bucket.put(id, { value }));
      if (written !== undefined || this.#isGivenUp) return;
      await new Promise<void>((resolve) => void this.#init.system.setTimer(this.#waitMs, resolve));
    }
  }

  /** Forgets a count; what is left when that fails goes by its age. */
  remove(id: string): void {
    this.#asked(async (bucket) => await bucket.put(id, { value: undefined })).catch(
      () => undefined,
    );
  }

  /** The connection is another one: what could not be used before is tried again. */
  resume(): void {
    this.#failedCount = 0;
    this.#nextTryMs = 0;
    this.#isGivenUp = false;
  }

  /** Tries no more. */
  stop(): void {
    this.#isStopped = true;
  }

  get #waitMs(): number {
    return Math.max(1, this.#nextTryMs - this.#init.system.monotonicMs());
  }

  /** @returns Undefined for a try that failed, or is not due after one that did. */
  async #tried<Result>(
    ask: (bucket: NatsBucket) => Promise<Result>,
  ): Promise<{ readonly result: Result } | undefined> {
    const { system, attempt } = this.#init;
    if (this.#failedCount > 0 && system.monotonicMs() < this.#nextTryMs) return undefined;
    try {
      const result = await attempt(this.#asked(ask));
      this.resume();
      return { result };
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  #fail(error: unknown): void {
    const { system, onFailed, bucket } = this.#init;
    const nowMs = system.monotonicMs();
    // Others that were under way at the same time are one try.
    if (this.#failedCount > 0 && nowMs < this.#nextTryMs) return;
    this.#nextTryMs = nowMs + Math.min(waitLastMs, waitFirstMs * 2 ** this.#failedCount);
    this.#failedCount += 1;
    const fault = faultOf(error);
    const isAway = fault === "away" || fault === "unserved";
    const tryCountMax = isAway ? awayTryCountMax : refusedTryCountMax;
    if (this.#isGivenUp || this.#isStopped || this.#failedCount < tryCountMax) return;
    this.#isGivenUp = true;
    onFailed(
      `bucket ${bucket.name} cannot be used: ${faultReason(error)}; messages that come again are handled without a count of their beginnings, so one that ends its process each time is not stopped after five`,
    );
  }

  /** After a failure it is opened again: somebody may have deleted it. */
  async #asked<Result>(ask: (bucket: NatsBucket) => Promise<Result>): Promise<Result> {
    const opening = (this.#opening ??= NatsBucket.open(this.#init.bucket));
    try {
      return await ask(await opening);
    } catch (error) {
      if (this.#opening === opening) this.#opening = undefined;
      throw error;
    }
  }
}
