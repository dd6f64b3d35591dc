import type { JsonObject, System } from "../../core/index.ts";
import { ChunkFault } from "../chain/index.ts";
import type { GatewayLog } from "../ports.ts";
import { EventStream } from "./event-stream.ts";
import { errorResponse, type GatewayRequest, type GatewayResponse } from "../request.ts";

/** Bounds of the streamed replies of one gateway. */
export interface EventStreamLimits {
  /** Chunks that wait for a client, and events that are kept for one that comes back. 1 to 65 536. Default 256. */
  readonly queueLengthMax: number;
  /** Time without a chunk after which a stream ends, milliseconds. Default 300 000. */
  readonly idleTimeoutMs: number;
  /** Time after which a stream ends, milliseconds. Default 3 600 000. */
  readonly durationMsMax: number;
  /** How long a stream waits for a lost client to come back, milliseconds. Default 0: not at all. */
  readonly resumeTimeoutMs: number;
  /** Characters of the events that are kept of one stream. Default 262 144. */
  readonly replayLengthMax: number;
  /** Streams that wait for their client to come back; the oldest are given up first. Default 1 000. */
  readonly detachedCountMax: number;
}

/** The default of each limit. */
export const eventStreamLimitDefaults: EventStreamLimits = {
  queueLengthMax: 256,
  idleTimeoutMs: 300_000,
  durationMsMax: 3_600_000,
  resumeTimeoutMs: 0,
  replayLengthMax: 262_144,
  detachedCountMax: 1_000,
};

/** Names a stream for a client that can send headers of its own when it comes back. */
const streamHeader = "x-agentrt-stream";
/** Headers of every response that is an event stream. */
export const eventStreamHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache",
  // A proxy that collects a response before it passes it on would hold the events back.
  "x-accel-buffering": "no",
} as const;
const nothing: AsyncIterable<JsonObject> = {
  [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }),
};
const lastEventHeader = "last-event-id";
const goneResponse = errorResponse(410, "the stream cannot be resumed");
const seenResponse: GatewayResponse = { status: 204, body: undefined };

interface Entry {
  readonly stream: EventStream;
  /** The identity of the client, and its request: only the same request of the same client gets the rest. */
  readonly owner: string;
  readonly clientIp: string;
}

/** The streamed replies of one gateway. Each is kept while its client reads it or may come back. */
export class EventStreams {
  readonly #system: System;
  readonly #limits: EventStreamLimits;
  readonly #log: GatewayLog;
  readonly #entries = new Map<string, Entry>();

  constructor(system: System, limits: EventStreamLimits, log: GatewayLog) {
    this.#system = system;
    this.#log = log;
    this.#limits = limits;
  }

  get system(): System {
    return this.#system;
  }

  /** Bounds of every stream. */
  get limits(): EventStreamLimits {
    return this.#limits;
  }

  /**
   * Answers a request that continues a stream: one with `Last-Event-ID`. It never starts the stream again, because the
   * agent would then do its work twice.
   *
   * @param request Any request to a stream route.
   * @returns The rest of the stream; 204 when the client has all of it; 410 when the stream is gone; `undefined` for a
   *   request that begins a stream.
   */
  resume(request: GatewayRequest): GatewayResponse | undefined {
    const lastEventId = request.headers[lastEventHeader];
    if (lastEventId === undefined || lastEventId === "") return undefined;
    const lastId = /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : undefined;
    if (lastId === undefined) return errorResponse(400, "malformed Last-Event-ID header");
    const found = this.#find(request, lastId);
    if (found === undefined) return goneResponse;
    const [key, { stream }] = found;
    return stream.isSeen(lastId) ? seenResponse : responseOf(key, stream, lastId);
  }

  /**
   * Begins a stream: the chunks of a response become its events.
   *
   * @param request Who asks.
   * @param response Its status and headers stay.
   * @param leave Called when nobody wants more.
   * @returns The response.
   */
  begin(request: GatewayRequest, response: GatewayResponse, leave: () => void): GatewayResponse {
    const { queueLengthMax, replayLengthMax, resumeTimeoutMs } = this.#limits;
    const { chunks = nothing, headers } = response;
    const key = this.#system.nextId();
    const iterator = chunks[Symbol.asyncIterator]();
    const stream = new EventStream({
      chunks: {
        next: () => iterator.next(),
        return: async () => {
          // First the agent: a generator of a middleware that waits for a chunk cannot be left before it has come.
          leave();
          await Promise.resolve(iterator.return?.()).catch((error: unknown) =>
            this.#fail(error, request),
          );
          return { done: true, value: undefined };
        },
      },
      describe: (error) =>
        error instanceof ChunkFault ? error.message : this.#fail(error, request),
      system: this.#system,
      replayCountMax: queueLengthMax,
      replayLengthMax,
      resumeTimeoutMs,
      onOver: () => void this.#entries.delete(key),
    });
    this.#makeRoom();
    this.#entries.set(key, { stream, owner: ownerOf(request), clientIp: request.clientIp });
    const sent = responseOf(key, stream, 0);
    return { ...sent, status: response.status, headers: { ...headers, ...sent.headers } };
  }

  /** What middleware threw is not the client's business. */
  #fail(error: unknown, { clientIp: client }: GatewayRequest): string {
    this.#log.error("A streamed response failed", { error, client });
    return "internal error";
  }

  /** Ends all streams with an error event; those whose client has gone are given up. */
  finish(error: string): void {
    for (const { stream } of this.#entries.values()) stream.finish(error);
  }

  /** Gives all streams up. */
  close(): void {
    for (const { stream } of this.#entries.values()) stream.close();
  }

  /** Finds a stream by its name. A browser can only repeat its GET: it gets the one stream that it left, if any. */
  #find(request: GatewayRequest, lastId: number): [string, Entry] | undefined {
    const owner = ownerOf(request);
    const name = request.headers[streamHeader];
    if (name !== undefined) {
      const entry = this.#entries.get(name);
      return entry?.owner === owner && entry.stream.isKept(lastId) ? [name, entry] : undefined;
    }
    if (request.method !== "GET") return undefined;
    const fitting = [...this.#entries].filter(
      ([, entry]) =>
        entry.owner === owner && entry.clientIp === request.clientIp && entry.stream.isDetached,
    );
    const [only] = fitting;
    return fitting.length === 1 && only?.[1].stream.isKept(lastId) === true ? only : undefined;
  }

  #makeRoom(): void {
    if (this.#entries.size < this.#limits.detachedCountMax) return;
    let detachedCount = 0;
    for (const { stream } of this.#entries.values()) if (stream.isDetached) detachedCount += 1;
    for (const { stream } of this.#entries.values()) {
      if (detachedCount < this.#limits.detachedCountMax) return;
      if (!stream.isDetached) continue;
      stream.close();
      detachedCount -= 1;
    }
  }
}

function responseOf(key: string, stream: EventStream, lastId: number): GatewayResponse {
  return {
    status: 200,
    body: undefined,
    headers: { ...eventStreamHeaders, [streamHeader]: key },
    stream: stream.read(lastId),
  };
}

function ownerOf(request: GatewayRequest): string {
  const identity = request.auth?.principal?.id ?? request.auth?.id ?? null;
  const { method, path, queryParams } = request;
  return JSON.stringify([identity, method, path, Object.entries(queryParams)]);
}
