import type { JsonObject, JsonValue } from "../core/json.ts";

/** Names to values, own keys only: headers, query parameters, path parameters. */
export type StringMap = { readonly [name: string]: string };

/**
 * What a listener hands to the middle of the gateway. Every listener makes one of these per request; nothing in it
 * says which listener it was.
 */
export interface InboundRequest {
  /** Upper-case HTTP method. */
  readonly method: string;
  /** The request target as it came: path and query, or the absolute form. */
  readonly target: string;
  /** Lower-case header names to values; `host` is the authority on every listener. */
  readonly headers: StringMap;
  /** Address of the immediate peer, without port. */
  readonly clientIp: string;
  /** Aborted when the client has gone away or the listener gives up waiting. */
  readonly signal: AbortSignal;
  /**
   * Reads the whole body.
   *
   * @param sizeBytesMax Bodies longer than this are not kept.
   * @returns The bytes, or the word for what went wrong: longer than the limit, or cut short by the client.
   */
  readBody(sizeBytesMax: number): Promise<Uint8Array | "too_large" | "cut_short">;
}

/** The one request of the gateway, as middleware and routes see it. */
export interface GatewayRequest {
  /** Upper-case HTTP method. */
  readonly method: string;
  /** The path as it was sent, without the query and without decoding. */
  readonly path: string;
  /** The authority the client asked for, with the port if it named one; `undefined` when it named none. */
  readonly authority: string | undefined;
  /** Decoded values of the `{name}` placeholders of the matched route. */
  readonly pathParams: StringMap;
  /** Decoded query parameters; of a repeated name the last value. */
  readonly queryParams: StringMap;
  /** Lower-case header names to values. */
  readonly headers: StringMap;
  /** The parsed body; `{}` when there was none. */
  readonly body: JsonObject;
  /** Address of the immediate peer, without port. */
  readonly clientIp: string;
  /** Aborted when nobody waits for the response any more. */
  readonly signal: AbortSignal;
}

/** The one response of the gateway. */
export interface GatewayResponse {
  /** HTTP status. */
  readonly status: number;
  /** What is sent as JSON; `undefined` for no body. */
  readonly body: JsonValue | undefined;
  /** Further headers, lower-case names. */
  readonly headers?: StringMap;
}

/**
 * The error response of every gateway route: `{"error": text}`.
 *
 * @param status HTTP status, 400 or above.
 * @param text One line that tells the client what is wrong.
 * @param headers Further headers, for example `allow` or `retry-after`.
 * @returns The response.
 */
export function errorResponse(status: number, text: string, headers?: StringMap): GatewayResponse {
  return headers === undefined
    ? { status, body: { error: text } }
    : { status, body: { error: text }, headers };
}
