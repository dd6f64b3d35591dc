import type { System } from "../../core/index.ts";
import type { RequestChain } from "../chain/index.ts";
import type { Edge } from "../edge/index.ts";
import type { GatewayLog } from "../ports.ts";
import type { StringMap } from "../request.ts";
import type { OnRefusal } from "./certificate-refusal.ts";
import type { Drained } from "./draining.ts";
import type { HttpLimits } from "./http-limits.ts";
import type { TlsMaterial } from "./tls-material.ts";
import type { UpgradeServer } from "./upgrade-server.ts";

/** What a listener for HTTP/1.1 and HTTP/2 needs. */
export interface HttpListenerOptions {
  /** Name of the node, for error messages. */
  readonly node: string;
  /** Address or name to bind. */
  readonly host: string;
  /** TCP port, 0 to 65 535; 0 lets the system choose. */
  readonly port: number;
  /** Answers each request. */
  readonly chain: RequestChain;
  readonly system: System;
  readonly log: GatewayLog;
  /** Certificate and key; without them the port speaks clear text. */
  readonly tls?: TlsMaterial | undefined;
  readonly limits?: Partial<HttpLimits>;
  /** What every request and every response passes. Default one without settings. */
  readonly edge?: Edge | undefined;
  /** Sent with every response; lower-case names. */
  readonly responseHeaders?: StringMap | undefined;
  /** Hears of each client whose certificate is refused. Default nobody. */
  readonly onRefusal?: OnRefusal | undefined;
  /** Takes connections that change the protocol: WebSocket. Default nobody. */
  readonly upgrades?: UpgradeServer | undefined;
}

/** A server for HTTP/1.1 and HTTP/2 on one port that can be stopped without breaking a request in work. */
export interface HttpListener {
  /**
   * Binds and begins to serve.
   *
   * @returns The bound port.
   * @throws AGENTRT_GATEWAY_BIND_FAILED when the address cannot be had.
   */
  start(): Promise<{ readonly port: number }>;
  /** Serves new connections with other certificates; open ones stay as they are. Only for a listener with TLS. */
  useTls(tls: TlsMaterial): void;
  /** Asks clients to send their next request elsewhere, where the protocol has a way to say so. All are served. */
  announce(): void;
  /**
   * Closes the port. What was sent before is served; a later request on an open connection gets 503, or is refused by
   * HTTP/2's GOAWAY.
   *
   * @returns Settles when no request is in work any more.
   */
  close(): Promise<void>;
  /**
   * Begins `close`, where the protocol can close a port and keep its connections; else does all of `stop`.
   *
   * @param options.timeoutMs As for `stop`.
   * @returns Settles when another listener can have the port.
   */
  leavePort(options: { readonly timeoutMs: number }): Promise<void>;
  /**
   * Ends the requests in work with 503, and closes the connections, each after its client has read what was sent.
   *
   * @returns How many requests were cut off.
   */
  end(): Promise<Drained>;
  /**
   * `close`, and `end` when that has settled or `timeoutMs` is over. A second stop waits with the first.
   *
   * @param options.timeoutMs Time for the requests in work, milliseconds.
   * @returns How many requests were cut off.
   */
  stop(options: { readonly timeoutMs: number }): Promise<Drained>;
}
