import type { System } from "../../core/index.ts";
import { faultOf, faultReason, NatsBucket } from "../../nats/index.ts";

/** What counts are kept with. */
export interface BegunCountsInit {
  readonly bucket: Parameters<typeof NatsBucket.open>[0];
  readonly system: Pick<System, "setTimer">;
  /** Waits for an answer of the server, which fails when the connection is lost or is another one. */
  readonly attempt: <Result>(asked: Promise<Result>) => Promise<Result>;
  readonly onFailed: (reason: string) => void;
}

/** The wait before another try, milliseconds. */
const retryWaitMs = 200;

/** How often the handling of messages was begun that come again, in a bucket, by their ids. It is made with the first of them. */
export class BegunCounts {
  readonly #init: BegunCountsInit;
  #opening: Promise<NatsBucket> | undefined;
  #isStopped = false;

  constructor(init: BegunCountsInit) {
    this.#init = init;
  }

  /** @returns How often it was counted. Rejects with what the server says. */
  async read(id: string): Promise<number> {
    const entry = await this.#init.attempt(this.#get(id));
    if (entry === undefined || entry.isDeleted) return 0;
    return Number(new TextDecoder().decode(entry.value)) || 0;
  }

  /** Keeps a count: tries until the server is there. Where it refuses it, that is said, and the count is not kept. */
  async write(id: string, count: number): Promise<void> {
    while (!this.#isStopped) {
      try {
        await this.#init.attempt(this.#put(id, new TextEncoder().encode(String(count))));
        return;
      } catch (error) {
        const fault = faultOf(error);
        if (fault !== "away" && fault !== "unserved") {
          this.#init.onFailed(`how often a message was begun is not kept: ${faultReason(error)}`);
          return;
        }
      }
      await new Promise<void>((resolve) => void this.#init.system.setTimer(retryWaitMs, resolve));
    }
  }

  /** Forgets a count; what is left when that fails goes by its age. */
  remove(id: string): void {
    this.#put(id, undefined).catch(() => undefined);
  }

  /** Tries no more. */
  stop(): void {
    this.#isStopped = true;
  }

  async #get(id: string): ReturnType<NatsBucket["get"]> {
    return await this.#asked(async (bucket) => await bucket.get(id));
  }

  async #put(id: string, value: Uint8Array | undefined): Promise<void> {
    await this.#asked(async (bucket) => await bucket.put(id, { value }));
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
