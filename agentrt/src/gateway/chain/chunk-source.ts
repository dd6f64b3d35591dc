import type { JsonObject } from "../../core/index.ts";
import type { GatewayRequest, GatewayResponse } from "../request.ts";

const done: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** A streamed reply that ended early; its message is the line that the client gets. */
export class ChunkFault extends Error {}

/** What a source of chunks is made from. */
export interface ChunkSourceInit {
  /** The reply of the agent. */
  readonly chunks: AsyncIterator<JsonObject, undefined>;
  /** Turns what ended the chunks early into one line for the client. */
  readonly describe: (error: unknown) => string;
  /** Aborted when the client has gone, or the response took too long to begin. */
  readonly signal: AbortSignal;
  /** The request, as the innermost middleware handed it on; `undefined` where no events are made of the chunks. */
  readonly request?: GatewayRequest;
}

/**
 * The chunks of an agent on their way through middleware, which may read them in place of the gateway. Whatever
 * middleware makes of them, the agent hears at once when nobody wants more.
 */
export class ChunkSource implements AsyncIterable<JsonObject> {
  readonly #init: ChunkSourceInit;
  readonly #onGone = (): void => this.end();

  constructor(init: ChunkSourceInit) {
    this.#init = init;
    const { signal } = init;
    if (signal.aborted) this.end();
    else signal.addEventListener("abort", this.#onGone, { once: true });
  }

  /** The request that it answers, where the source knows it. */
  get request(): GatewayRequest | undefined {
    return this.#init.request;
  }

  /** The response is complete: from now on who sends it says when nobody wants more. */
  handOver(): void {
    this.#init.signal.removeEventListener("abort", this.#onGone);
  }

  /** Ends the chunks: the agent hears of it, and who waits for the next one gets the end. */
  end(): void {
    this.handOver();
    void this.#init.chunks.return?.();
  }

  [Symbol.asyncIterator](): AsyncIterator<JsonObject, undefined> {
    const { chunks, describe } = this.#init;
    return {
      next: async () => {
        try {
          return await chunks.next();
        } catch (error) {
          throw new ChunkFault(describe(error), { cause: error });
        }
      },
      return: async () => {
        this.end();
        return done;
      },
    };
  }
}

/** The source of what a response streams, however often middleware has wrapped it. */
const sources = new WeakMap<GatewayResponse, ChunkSource>();

/**
 * Makes the response of a route that streams.
 *
 * @param source The chunks.
 * @param headers Of the response. Default none.
 */
export function chunkResponse(
  source: ChunkSource,
  headers?: GatewayResponse["headers"],
): GatewayResponse {
  const response: GatewayResponse = {
    status: 200,
    body: undefined,
    chunks: source,
    ...(headers && { headers }),
  };
  sources.set(response, source);
  return response;
}

/** @returns Whose chunks a response streams; `undefined` where no agent's. */
export function sourceOf(response: GatewayResponse | undefined): ChunkSource | undefined {
  return response === undefined ? undefined : sources.get(response);
}

/** Takes note that a middleware made one response of another. */
export function inheritSource(response: GatewayResponse, inner: GatewayResponse | undefined): void {
  const source = sourceOf(inner);
  if (source !== undefined && typeof response === "object" && response !== null) {
    sources.set(response, source);
  }
}
