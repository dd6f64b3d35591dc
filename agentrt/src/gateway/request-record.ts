import type { OpenSpan } from "../core/index.ts";
import type { TraceContext } from "./trace-context.ts";

/** What a request came by, as it is in the access log. */
export type RequestProtocol = "HTTP/1.0" | "HTTP/1.1" | "HTTP/2" | "HTTP/3" | "WebSocket" | "gRPC";

/** What a gateway finds out about one request on its way: for the agent, for the response's headers and for the log. */
export interface RequestRecord {
  readonly protocol: RequestProtocol;
  /** What a trusted caller gave, or a new one; 1 to 128 characters. */
  readonly id: string;
  /** Upper-case; empty where the request could not be read. */
  readonly method: string;
  /** As it came: path and query, or the absolute form; empty where the request could not be read. */
  readonly target: string;
  /** Of the request; lower-case names. */
  readonly headers: { readonly [name: string]: string };
  /** Address of the client: that of the peer, or the one that trusted proxies name. */
  readonly clientIp: string;
  /** Address of the immediate peer, without port. */
  readonly peerIp: string;
  /** When it came, on the monotonic clock. */
  readonly begunAtMs: number;
  /**
   * Its place in a trace: below its own span; without one that of the caller, or a new one where an access log tells it;
   * else the message makes its own.
   */
  trace: TraceContext | undefined;
  /** Its span; undefined where no spans are made. */
  span: OpenSpan | undefined;
  /** Path pattern of the route that serves it; `undefined` where none does. */
  route: string | undefined;
  /** Who sent it, as middleware has verified it. */
  principal: string | undefined;
  /** True when its end was taken note of. */
  isClosed: boolean;
}

/** Where the record of a request is found on what middleware sees, and on copies of it. */
export const recordKey = Symbol("agentrt.requestRecord");
