import type { JsonObject, JsonValue } from "../core/index.ts";
import type { recordKey, RequestRecord } from "./request-record.ts";

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
  /**
   * The client's own certificate as DER, when the connection is TLS, the client showed one, and it was signed by the
   * configured authority; `undefined` otherwise. Read for requests only that reach a route.
   */
  readonly clientCertificate: Uint8Array | undefined;
  /** Aborted when the client has gone away or the listener gives up waiting. */
  readonly signal: AbortSignal;
  /** What is found out about it on its way; a request of a test has none. */
  readonly record?: RequestRecord | undefined;
  /**
   * Reads the whole body.
   *
   * @param sizeBytesMax Bodies longer than this are not kept.
   * @returns The bytes, or the word for what went wrong: longer than the limit, or cut short by the client.
   */
  readBody(sizeBytesMax: number): Promise<Uint8Array | "too_large" | "cut_short">;
}

/** A client's certificate, verified on the connection or by a trusted proxy. */
export interface ClientCert {
  /** The whole subject as an RFC 4514 string. */
  readonly dn: string;
  /** The certificate as PEM. */
  readonly leafPem: string;
}

/** Who a request comes from, as an authenticating middleware has verified it. */
export interface RequestAuth {
  /** Identity of the client. The runtime reads only this field and `principal.id`. */
  readonly id?: string;
  /** The same identity where `id` is absent; it wins where both are there. */
  readonly principal?: { readonly id: string; readonly [name: string]: unknown };
  /**
   * Until when it counts, wall-clock milliseconds since the Unix epoch; default for ever. A WebSocket connection is
   * closed with 4401 then.
   */
  readonly expiresAtMs?: number;
  /** What it may do at a control plane: some of `read`, `operate` and `approve`; absent for all. */
  readonly scopes?: readonly string[];
  /** Whatever else the middleware wants to hand on. */
  readonly [name: string]: unknown;
}

/** The gateway as middleware sees it: a name, and the way to agents. */
export interface GatewayProcess {
  /** Name of the gateway's node. */
  readonly name: string;
  /**
   * Sends to an agent and waits for the reply.
   *
   * @throws AGENTRT_BUS_* and AGENTRT_AGENT_* errors.
   */
  call(
    agent: string,
    payload: JsonObject,
    options?: { readonly type?: string; readonly timeoutMs?: number },
  ): Promise<JsonObject>;
  /** Sends to an agent and waits only for room in its mailbox. Throws as `call` does. */
  cast(agent: string, payload: JsonObject, options?: { readonly type?: string }): Promise<void>;
  /** True when an agent of that name is in the tree. */
  hasAgent(name: string): boolean;
}

/** The values of the placeholders of a path by their names, where the compiler knows the path. */
export type PathParams<Path extends string> = string extends Path
  ? StringMap
  : { readonly [Name in PlaceholderOf<Path>]: string };

type PlaceholderOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Whole}*` ? Whole : Name) | PlaceholderOf<Rest>
  : never;

/**
 * The one request of the gateway, as middleware and routes see it. The type parameters are optional: the
 * placeholders of the path (`PathParams`), and what an authenticating middleware before it has set.
 */
export interface GatewayRequest<
  Params extends object = StringMap,
  Auth extends RequestAuth = RequestAuth,
> {
  /** Upper-case HTTP method. */
  readonly method: string;
  /** The path as it was sent, without the query and without decoding. */
  readonly path: string;
  /** The authority the client asked for, with the port if it named one; `undefined` when it named none. */
  readonly authority: string | undefined;
  /** Decoded values of the `{name}` placeholders of the matched route, and the rest of the path as `{name*}`. */
  readonly pathParams: Params;
  /** Decoded query parameters; of a repeated name the last value. */
  readonly queryParams: StringMap;
  /** Lower-case header names to values. */
  readonly headers: StringMap;
  /** The parsed body; `{}` when there was none. */
  readonly body: JsonObject;
  /**
   * Address of the client, without port: the one that trusted proxies name, else that of the peer. Where
   * certificates come in a header of proxies, that of the peer.
   */
  readonly clientIp: string;
  /** Its id: of a trusted caller, or a new one. It is in the response, in the access log, and the agent's `correlationId`. */
  readonly requestId: string;
  /** The gateway that serves the request. */
  readonly gateway: GatewayProcess;
  /** The client's certificate; `undefined` when it showed none that is trusted. */
  readonly clientCert: ClientCert | undefined;
  /** Set by an authenticating middleware when it lets the request through. Never part of the payload. */
  auth: Auth | undefined;
  /** Aborted when nobody waits for the response any more. */
  readonly signal: AbortSignal;
  /** For the gateway itself; copies of a request keep it. */
  readonly [recordKey]?: RequestRecord | undefined;
}

/** The one response of the gateway. */
export interface GatewayResponse {
  /** HTTP status. */
  readonly status: number;
  /** What is sent as JSON; `undefined` for no body. */
  readonly body: JsonValue | undefined;
  /** Further headers, lower-case names. */
  readonly headers?: StringMap;
  /** Each is one more `set-cookie` header. Default none. */
  readonly setCookies?: readonly string[];
  /** Instead of `body`: text that is sent as it is, with the `content-type` of `headers`. */
  readonly text?: string;
  /** Instead of `body`: bytes that are sent as they are, with the `content-type` of `headers`. */
  readonly bytes?: Uint8Array;
  /**
   * Instead of `body`: text that is sent piece by piece, as fast as the client takes it, with the `content-type` of
   * `headers`. `return()` is called when the client has gone away.
   */
  readonly stream?: AsyncIterable<string>;
  /**
   * Instead of `body`: chunks, each sent as a server-sent event when the client has room for it. A route of mode
   * `stream` has them: a middleware may hand on others in their place, and see them pass.
   */
  readonly chunks?: AsyncIterable<JsonObject>;
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
