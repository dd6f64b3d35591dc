import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage, JSONRPCRequest, RequestId } from "@modelcontextprotocol/sdk/types.js";
import type { JsonValue } from "../../../core/index.ts";
import { eventStreamHeaders } from "../../dispatch/index.ts";
import type { GatewayRequest, GatewayResponse } from "../../request.ts";
import { TextQueue } from "../text-queue.ts";

/** Notifications about one request that wait for the client at most. */
const queueLengthMax = 64;

/** A request of the client that has no answer yet. */
interface OpenRequest {
  readonly request: GatewayRequest;
  /** Takes a notification about it, or its answer. */
  readonly take: (message: JSONRPCMessage) => Promise<void>;
  /** It will not be answered. */
  readonly drop: () => void;
}

/**
 * One session, between the requests of HTTP that its client sends and the protocol's own SDK: each request is answered in
 * the response of the POST that it came with, and what is said about it on the way goes before the answer as events.
 */
export class SessionTransport implements Transport {
  onmessage?: Transport["onmessage"];
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #open = new Map<RequestId, OpenRequest>();
  #isClosed = false;

  /** Requests that have no answer yet. */
  get openCount(): number {
    return this.#open.size;
  }

  /** The request over HTTP with which a request of the protocol came. */
  requestOf(id: RequestId): GatewayRequest | undefined {
    return this.#open.get(id)?.request;
  }

  /** Does nothing: requests come one by one. */
  async start(): Promise<void> {}

  /** {@inheritDoc Transport.send} What belongs to no request has nobody to go to. */
  async send(
    message: JSONRPCMessage,
    options?: { readonly relatedRequestId?: RequestId },
  ): Promise<void> {
    const id = "method" in message ? options?.relatedRequestId : message.id;
    if (id === undefined) return;
    await this.#open.get(id)?.take(message);
  }

  /** Hands a notification, or an answer, of the client to the SDK. */
  accept(message: JSONRPCMessage): GatewayResponse {
    this.onmessage?.(message);
    return { status: 202, body: undefined };
  }

  /**
   * Hands a request of the client to the SDK.
   *
   * @param message The request.
   * @param request That it came with.
   * @param leave Called with its id when the client has gone.
   * @returns The answer; as events where the client wants to hear of its progress.
   */
  async ask(
    message: JSONRPCRequest,
    request: GatewayRequest,
    leave: (id: RequestId) => void,
  ): Promise<GatewayResponse> {
    const { id } = message;
    if (this.#open.has(id))
      return errorAnswer(400, { id, code: -32600, message: "this id has no answer yet" });
    const isWatched = message.params?._meta?.progressToken !== undefined;
    const response = isWatched
      ? this.#answerByEvents(id, request, leave)
      : this.#answer(id, request, leave);
    this.onmessage?.(message);
    return await response;
  }

  /** Forgets a request that will not be answered: its client has taken it back. */
  drop(id: RequestId): void {
    const open = this.#open.get(id);
    this.#open.delete(id);
    open?.drop();
  }

  /** {@inheritDoc Transport.close} */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const id of this.#open.keys()) this.drop(id);
    this.onclose?.();
  }

  #answer(
    id: RequestId,
    request: GatewayRequest,
    leave: (id: RequestId) => void,
  ): Promise<GatewayResponse> {
    return new Promise((resolve) => {
      const onGone = (): void => {
        this.drop(id);
        leave(id);
      };
      const settle = (response: GatewayResponse): void => {
        request.signal.removeEventListener("abort", onGone);
        resolve(response);
      };
      this.#open.set(id, {
        request,
        take: async (message) => {
          if ("method" in message) return;
          this.#open.delete(id);
          settle({ status: 200, body: message as object as JsonValue });
        },
        drop: () => settle({ status: 202, body: undefined }),
      });
      if (request.signal.aborted) onGone();
      else request.signal.addEventListener("abort", onGone, { once: true });
    });
  }

  #answerByEvents(
    id: RequestId,
    request: GatewayRequest,
    leave: (id: RequestId) => void,
  ): GatewayResponse {
    const queue = new TextQueue(queueLengthMax, () => {
      this.#open.delete(id);
      leave(id);
    });
    this.#open.set(id, {
      request,
      take: async (message) => {
        const pushed = queue.push(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
        if (!("method" in message)) {
          this.#open.delete(id);
          queue.end();
        }
        await pushed;
      },
      drop: () => queue.end(),
    });
    return { status: 200, body: undefined, headers: eventStreamHeaders, stream: queue };
  }
}

/** What is wrong with a message, as JSON-RPC says it. */
export interface ErrorAnswer {
  readonly id: RequestId | null;
  readonly code: number;
  readonly message: string;
}

/**
 * Makes the response to a message that the SDK does not get to see.
 *
 * @param status Of HTTP.
 * @param answer What is wrong.
 */
export function errorAnswer(status: number, { id, code, message }: ErrorAnswer): GatewayResponse {
  return { status, body: { jsonrpc: "2.0", id, error: { code, message } } };
}
