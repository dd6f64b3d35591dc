/**
 * The floor of one process: a bare actor with a name lookup, a queue, a microtask pump and a promise per call. No
 * supervision, timeout, trace id, counter or payload isolation.
 */
type Payload = { readonly sequence: number };
type Handler = (payload: Payload) => Promise<Payload>;

interface Entry {
  readonly payload: Payload;
  readonly resolve: ((reply: Payload) => void) | undefined;
}

/** A bare actor behind a name. */
export class FloorActor {
  readonly #queue: Entry[] = [];
  readonly #handler: Handler;
  #isPumping = false;

  constructor(handler: Handler) {
    this.#handler = handler;
  }

  /** Queues a message; with `resolve`, it is called with the reply. */
  post(payload: Payload, resolve?: (reply: Payload) => void): void {
    this.#queue.push({ payload, resolve });
    if (this.#isPumping) return;
    this.#isPumping = true;
    queueMicrotask(() => void this.#pump());
  }

  async #pump(): Promise<void> {
    for (let index = 0; index < this.#queue.length; index += 1) {
      const entry = this.#queue[index];
      if (entry === undefined) break;
      const reply = await this.#handler(entry.payload);
      entry.resolve?.(reply);
    }
    this.#queue.length = 0;
    this.#isPumping = false;
  }
}
