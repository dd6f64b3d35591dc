import { errorResponse, type GatewayRequest, type GatewayResponse } from "../../gateway/index.ts";
import type { Feed } from "../observing/index.ts";
import { wholeNumberOf } from "../whole-number.ts";

/** What clients wait before they come back, milliseconds. */
const retryMs = 1000;
const recentCountMax = 1000;

/** The headers of a stream of server-sent events. */
export const streamHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
} as const;

/** What is streamed. */
export interface StreamSource<Item> {
  /** Tells this run from others. */
  readonly epoch: string;
  readonly feed: Feed<Item>;
  readonly wants: (item: Item) => boolean;
  /** Name of an item's event, and its data. */
  readonly show: (item: Item) => { readonly event: string; readonly data: object };
}

/**
 * Makes the response that streams what a feed holds as server-sent events, and goes on until its client leaves; with
 * `?follow=false` it ends behind what is there.
 *
 * A client that says `Last-Event-ID` gets what comes behind it; one that asks for `?recent=20` gets the last 20 first. The
 * event `gap` says how much is gone by then.
 *
 * @param request Its headers and query say from where.
 * @param source What is streamed.
 * @returns The response: 400 for a query that makes no sense, 503 when too many watch already.
 */
export function eventStream<Item>(
  request: GatewayRequest,
  source: StreamSource<Item>,
): GatewayResponse {
  const start = startOf(request, source);
  if (typeof start === "string") return errorResponse(400, start);
  if (source.feed.isFull)
    return errorResponse(503, "too many watch already", { "retry-after": "1" });
  return {
    status: 200,
    body: undefined,
    headers: streamHeaders,
    stream: pieces(source, start),
  };
}

/** Where a stream begins. */
interface Start {
  readonly from: number;
  /** The client names an event of another run. */
  readonly isOtherRun: boolean;
  /** The last one to be sent; undefined for all that come. */
  readonly to?: number | undefined;
}

/** @returns Where the stream begins, or what is wrong with the request. */
function startOf<Item>(request: GatewayRequest, source: StreamSource<Item>): Start | string {
  const { feed, wants } = source;
  const { follow = "true" } = request.queryParams;
  if (follow !== "true" && follow !== "false") return "follow must be true or false";
  const start = beginOf(request, source);
  if (follow === "true" || typeof start === "string") return start;
  const last = feed.numberOfLast(1, wants);
  return { ...start, to: last > feed.lastNumber ? 0 : last };
}

function beginOf<Item>(request: GatewayRequest, source: StreamSource<Item>): Start | string {
  const { feed, epoch, wants } = source;
  const lastId = request.headers["last-event-id"] ?? request.queryParams["last_event_id"];
  if (lastId !== undefined && lastId !== "") {
    const match = /^([\da-z]+)-(\d{1,15})$/.exec(lastId);
    if (match === null) return "Last-Event-ID must be an id of this stream";
    const number = Number(match[2]);
    if (match[1] !== epoch || number > feed.lastNumber) return { from: 1, isOtherRun: true };
    return { from: number + 1, isOtherRun: false };
  }
  const count = recentOf(request);
  if (typeof count === "string") return count;
  return { from: feed.numberOfLast(count, wants), isOtherRun: false };
}

/** @returns How many of the latest items come first, or what is wrong with the request. */
export function recentOf({ queryParams }: Pick<GatewayRequest, "queryParams">): number | string {
  const count = wholeNumberOf(queryParams["recent"] ?? "0");
  const isRight = Number.isInteger(count) && count >= 0 && count <= recentCountMax;
  return isRight ? count : `recent must be a whole number of 0 to ${recentCountMax}`;
}

/** The stream as text. Not a generator: one that waits could not be left. */
function pieces<Item>(source: StreamSource<Item>, start: Start): AsyncIterable<string> {
  const { feed, epoch, wants, show } = source;
  const follower = feed.follow({ from: start.from, wants });
  let first = `retry: ${retryMs}\n\n`;
  if (start.isOtherRun) first += sse("gap", { missed: null });
  let sent = start.from - 1;
  return {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        if (first !== "") {
          const value = first;
          first = "";
          return { done: false, value };
        }
        if (start.to !== undefined && sent >= start.to) {
          await follower.return?.();
          return { done: true, value: undefined };
        }
        const { done, value } = await follower.next();
        if (done === true) return { done: true, value: undefined };
        switch (value.kind) {
          case "quiet":
            return { done: false, value: ": heartbeat\n\n" };
          case "gap":
            return { done: false, value: sse("gap", { missed: value.missedCount }) };
          default: {
            sent = value.number;
            const { event, data } = show(value.item);
            return { done: false, value: `id: ${epoch}-${value.number}\n${sse(event, data)}` };
          }
        }
      },
      return: async () => {
        await follower.return?.();
        return { done: true, value: undefined };
      },
    }),
  };
}

/** An event of a stream, as text. */
export function sse(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
