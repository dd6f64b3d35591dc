import { RecencyMap } from "../../core/index.ts";

/** What a window allows, and how much it may remember. */
export interface SlidingWindowOptions {
  /** Requests of one client in any stretch of `windowMs`, 1 or more. */
  readonly requestCountMax: number;
  /** Length of the window in milliseconds, above 0. */
  readonly windowMs: number;
  /** Clients remembered at most. Default 100 000. */
  readonly clientCountMax?: number;
  /** Moments of requests remembered at most, of all clients together. Default 4 194 304. */
  readonly momentCountMax?: number;
}

/** What became of one request. */
export interface WindowVerdict {
  readonly isAllowed: boolean;
  /** Requests that the client may send right now. */
  readonly remainingCount: number;
  /** Time until a request is allowed again; 0 when one is allowed now. */
  readonly retryAfterMs: number;
  /** Time until the client may send as many as ever. */
  readonly resetAfterMs: number;
}

interface Client {
  /** When requests stop to count, oldest first, from `head` on. */
  readonly endsMs: number[];
  /** How many requests stop to count at each. */
  readonly counts: number[];
  head: number;
  total: number;
}

/** Above this many requests a window keeps them in this many steps, each counted until the end of its step. */
const stepCountMax = 256;

/**
 * Counts the requests of each client in the stretch of time that ends now. No more than the allowed number fit into
 * any such stretch, wherever it begins; refused requests do not count.
 *
 * A client costs at most 257 moments, whatever the limit is: with more than 256 requests, moments are rounded up to the
 * 256th part of the window. When there are too many clients or moments, the client who was not seen for the longest
 * time is forgotten. An attacker gains nothing by inventing clients to be forgotten: these had more requests already
 * than one client may have.
 */
export class SlidingWindow {
  readonly #requestCountMax: number;
  readonly #windowMs: number;
  readonly #clientCountMax: number;
  readonly #momentCountMax: number;
  readonly #stepMs: number;
  /** Least recently seen first. */
  readonly #clients = new RecencyMap<string, Client>();
  #momentCount = 0;

  constructor(options: SlidingWindowOptions) {
    this.#requestCountMax = options.requestCountMax;
    this.#windowMs = options.windowMs;
    this.#clientCountMax = options.clientCountMax ?? 100_000;
    this.#momentCountMax = options.momentCountMax ?? 4_194_304;
    this.#stepMs = options.requestCountMax > stepCountMax ? options.windowMs / stepCountMax : 0;
  }

  /** Clients remembered now. */
  get clientCount(): number {
    return this.#clients.size;
  }

  /** Moments remembered now. */
  get momentCount(): number {
    return this.#momentCount;
  }

  /**
   * Counts a request, if it is allowed.
   *
   * @param clientId Who sends it.
   * @param nowMs A monotonic clock.
   */
  hit(clientId: string, nowMs: number): WindowVerdict {
    this.#forgetIdle(nowMs);
    const client = this.#seen(clientId);
    this.#prune(client, nowMs);
    const isAllowed = client.total < this.#requestCountMax;
    if (isAllowed) this.#count(client, nowMs);
    this.#makeRoom();
    const remainingCount = this.#requestCountMax - client.total;
    return {
      isAllowed,
      remainingCount,
      retryAfterMs: remainingCount > 0 ? 0 : (client.endsMs[client.head] ?? nowMs) - nowMs,
      resetAfterMs: Math.max(0, (client.endsMs.at(-1) ?? nowMs) - nowMs),
    };
  }

  /** The client, moved to the end of those to be forgotten. */
  #seen(clientId: string): Client {
    const known = this.#clients.get(clientId);
    const client = known ?? { endsMs: [], counts: [], head: 0, total: 0 };
    this.#clients.set(clientId, client);
    return client;
  }

  #count(client: Client, nowMs: number): void {
    const step = this.#stepMs;
    const momentMs = step === 0 ? nowMs : Math.ceil(nowMs / step) * step;
    const endMs = momentMs + this.#windowMs;
    client.total += 1;
    const last = client.endsMs.length - 1;
    if (last >= client.head && client.endsMs[last] === endMs) {
      client.counts[last] = (client.counts[last] ?? 0) + 1;
      return;
    }
    client.endsMs.push(endMs);
    client.counts.push(1);
    this.#momentCount += 1;
  }

  #prune(client: Client, nowMs: number): void {
    const { endsMs, counts } = client;
    while (client.head < endsMs.length && (endsMs[client.head] ?? 0) <= nowMs) {
      client.total -= counts[client.head] ?? 0;
      client.head += 1;
      this.#momentCount -= 1;
    }
    // Half of the list is passed: cutting it off costs as much as was saved by not doing so before.
    if (client.head === 0 || client.head * 2 < endsMs.length) return;
    endsMs.splice(0, client.head);
    counts.splice(0, client.head);
    client.head = 0;
  }

  /** Forgets up to two clients whose requests count no more: one comes, two go, so they cannot pile up. */
  #forgetIdle(nowMs: number): void {
    for (let index = 0; index < 2; index += 1) {
      const { oldest } = this.#clients;
      if (oldest === undefined || (oldest.value.endsMs.at(-1) ?? 0) > nowMs) return;
      this.#forget(oldest.key, oldest.value);
    }
  }

  #makeRoom(): void {
    while (
      this.#clients.size > 1 &&
      (this.#clients.size > this.#clientCountMax || this.#momentCount > this.#momentCountMax)
    ) {
      const { oldest } = this.#clients;
      if (oldest !== undefined) this.#forget(oldest.key, oldest.value);
    }
  }

  #forget(clientId: string, client: Client): void {
    this.#momentCount -= client.endsMs.length - client.head;
    this.#clients.delete(clientId);
  }
}
