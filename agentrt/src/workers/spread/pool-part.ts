import { type JsonObject, type PoolQueue, reasonOf } from "../../core/index.ts";
import type { FencedStateStore } from "./fenced-state-store.ts";
import type { PartApprovals } from "./part-approvals.ts";

/** What a part of a pool is made from. */
export interface PoolPartInit {
  /** The name and the mailbox of the pool. */
  readonly door: PoolQueue;
  /** Keeps what its members wait for; undefined where the workers of the group share nothing. */
  readonly store: FencedStateStore | undefined;
  readonly approvals: PartApprovals;
  /** Takes secrets out of texts. */
  readonly redactText: (text: string) => string;
}

/** The members of a pool that this worker has: what they wait for is theirs wherever they are, each by its number. */
export class PoolPart {
  readonly door: PoolQueue;
  readonly #init: PoolPartInit;
  /** Numbers of those whose approvals are here. */
  readonly #owned = new Set<number>();
  /** One change at a time. */
  #placing: Promise<unknown> = Promise.resolve();

  constructor(init: PoolPartInit) {
    this.door = init.door;
    this.#init = init;
  }

  /**
   * Does what the supervisor says. Members answer though what they wait for cannot be read: they have no state.
   *
   * @param payload.members Names of those that are here, and no others.
   * @param payload.min The fewest of them that are there.
   * @param payload.fresh True when others may have had them since.
   * @returns With `unread`, the reason, where what they wait for is not here yet: then this is asked again.
   */
  async place(payload: JsonObject): Promise<JsonObject> {
    const placed = this.#placing.then(async () => await this.#place(payload));
    this.#placing = placed.catch(() => undefined);
    return await placed;
  }

  async #place({ members, min, fresh }: JsonObject): Promise<JsonObject> {
    const listed = Array.isArray(members) ? members : [];
    const names = new Set(listed.filter((each) => typeof each === "string"));
    const numbers = [...names].map((name) => this.#numberOf(name));
    const answer = await this.#take(
      numbers.filter((each) => fresh === true || !this.#owned.has(each)),
    );
    await this.door.place(names, typeof min === "number" ? min : names.size);
    const kept = new Set(numbers);
    await this.#drop([...this.#owned].filter((each) => !kept.has(each)));
    return answer;
  }

  async #take(numbers: readonly number[]): Promise<JsonObject> {
    const { door, store, approvals, redactText } = this.#init;
    if (store === undefined || numbers.length === 0) return {};
    const { name } = door;
    await this.#drop(numbers);
    try {
      await store.take(name, numbers);
      await door.reread(new Set(numbers.map((number) => `${name}/${number}`)));
      await approvals.adopt(name, numbers);
    } catch (error) {
      await this.#drop(numbers);
      return { unread: redactText(reasonOf(error)) };
    }
    for (const each of numbers) this.#owned.add(each);
    return {};
  }

  async #drop(numbers: readonly number[]): Promise<void> {
    const { door, store, approvals } = this.#init;
    for (const each of numbers) this.#owned.delete(each);
    await approvals.abandon(door.name, numbers);
    store?.drop(door.name, numbers);
  }

  /** Other processes have what its members wait for. */
  forget(): void {
    void this.#drop([...this.#owned]);
  }

  /** @returns Whether what a member waits for is kept for the worker that has it next. */
  get isShared(): boolean {
    return this.#init.store !== undefined;
  }

  #numberOf(name: string): number {
    return Number(name.slice(this.door.name.length + 1));
  }
}
