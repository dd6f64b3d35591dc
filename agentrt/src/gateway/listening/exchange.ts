import { connectionHeaders } from "../connection-headers.ts";
import { validateHeaderName, validateHeaderValue } from "../node-http.ts";
import type { InboundRequest } from "../request.ts";
import type { RequestProtocol, RequestRecord } from "../request-record.ts";

/** Headers of a response; a list is one header for each value. */
export type OutgoingHeaders = { readonly [name: string]: string | readonly string[] };

/** Headers on their way into the form that Node takes. */
export type HeaderLines = { [name: string]: string | number | string[] };

/** Sends the response to one request, in any version of HTTP. When the client has gone, all methods do nothing. */
export interface Exchange extends InboundRequest {
  readonly protocol: RequestProtocol;
  /** Set when its head has come. */
  record: RequestRecord | undefined;
  /** Names, lower-case, and values in turn that the gateway adds; a response may have others in their place. */
  ownHeaders: readonly string[];
  /** True when nothing more can be sent: the client has gone, or the response was sent whole. */
  readonly isOver: boolean;
  /** True when status and headers have left. */
  readonly isBegun: boolean;
  /**
   * Sends a whole response, once.
   *
   * @throws What Node throws for a header that cannot be sent; nothing has left then.
   */
  respond(status: number, body: string | Uint8Array, headers: OutgoingHeaders | undefined): void;
  /** Sends status and headers of a response whose text comes piece by piece. Throws as `respond` does. */
  begin(status: number, headers: OutgoingHeaders): void;
  /** Sends a piece. False when the client should be given time to take what was sent. */
  write(text: string): boolean;
  /** Calls back once when there is room again, or the response is over. */
  onRoom(callback: () => void): void;
  /** Ends a response that was begun. */
  end(): void;
  /** Breaks off a response that was begun, so that the client sees it is not whole. */
  breakOff(): void;
}

/** Adds headers of the gateway to those of a response. */
export function addOwnHeaders(headers: { [name: string]: unknown }, own: readonly string[]): void {
  for (let index = 0; index < own.length; index += 2) {
    headers[own[index] as string] = own[index + 1];
  }
}

/**
 * The same for a response that has no headers of a route or middleware. Node takes a list with half the work of an object.
 *
 * @param list Names, lower-case, and values in turn; changed.
 * @param own Each takes the place of one of its name.
 * @returns The list.
 */
export function withOwnHeaders(list: string[], own: readonly string[]): string[] {
  const ownStart = list.length;
  for (let index = 0; index < own.length; index += 2) {
    const name = own[index] as string;
    let at = 0;
    while (at < ownStart && list[at] !== name) at += 2;
    if (at < ownStart) list[at + 1] = own[index + 1] as string;
    else list.push(name, own[index + 1] as string);
  }
  return list;
}

/**
 * Adds the headers of a route or middleware to those of a response, without the ones that belong to the connection.
 *
 * @param headers Changed.
 * @param more Lower-case names.
 * @throws What Node throws for a name or a value that cannot be sent.
 */
export function addHeaders(headers: HeaderLines, more: OutgoingHeaders | undefined): void {
  if (more === undefined) return;
  for (const name of Object.keys(more)) {
    const value = more[name];
    const lowered = name.toLowerCase();
    if (value === undefined || connectionHeaders.has(lowered)) continue;
    // Node checks these only for HTTP/1.1. After a proxy that speaks HTTP/1.1, a line break would begin a new header.
    validateHeaderName(lowered);
    const values = typeof value === "string" ? [value] : [...value];
    for (const each of values) validateHeaderValue(lowered, each);
    const vary = lowered === "vary" ? headers[lowered] : undefined;
    // What the gateway varies its answer by holds, whatever else the answer varies by.
    if (vary !== undefined) headers[lowered] = [String(vary), ...values].join(", ");
    else headers[lowered] = typeof value === "string" ? value : values;
  }
}

/**
 * The headers of a whole answer over HTTP/2 and HTTP/3, the status among them.
 *
 * @param status HTTP status.
 * @param answer Its size in bytes, the gateway's own headers, and those of a route or middleware, which have the last word.
 */
export function answerHeaders(
  status: number,
  {
    sizeBytes,
    own,
    more,
  }: {
    readonly sizeBytes: number;
    readonly own: readonly string[];
    readonly more: OutgoingHeaders | undefined;
  },
): HeaderLines {
  const headers: HeaderLines =
    sizeBytes === 0
      ? { ":status": status, "content-length": 0 }
      : { ":status": status, "content-type": "application/json", "content-length": sizeBytes };
  if (status === 204 || status === 304) delete headers["content-length"];
  addOwnHeaders(headers, own);
  addHeaders(headers, more);
  return headers;
}
