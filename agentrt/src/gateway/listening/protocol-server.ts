import type { Socket } from "node:net";
import type { System } from "../../core/index.ts";
import type { RequestChain } from "../chain/index.ts";
import type { Edge } from "../edge/index.ts";
import type { GatewayLog } from "../ports.ts";
import type { StringMap } from "../request.ts";
import type { HttpLimits } from "./http-limits.ts";
import type { UpgradeServer } from "./upgrade-server.ts";

/** What speaks one version of HTTP on the connections that a listener accepts. */
export interface ProtocolServer {
  /** Takes a connection; bytes that came already wait in its buffer. */
  accept(socket: Socket): void;
  /** Asks clients to send their next request elsewhere, where the protocol has a way to say so. */
  announce(): void;
  /** From now on new requests are refused. */
  refuse(): void;
  /** How many requests are in work. */
  readonly workCount: number;
  /** Answers the requests in work whose answer has not begun with 503, and cancels them. */
  endWork(): void;
  /** Ends this side of the connections without work. */
  hangUp(): void;
  /** Closes what is left at once. */
  cut(): void;
}

/** What every version of HTTP is served with. */
export interface ProtocolServerOptions {
  /** Name of the node, for the log. */
  readonly node: string;
  readonly chain: RequestChain;
  readonly system: System;
  readonly log: GatewayLog;
  readonly limits: HttpLimits;
  /** What every request and every response passes. */
  readonly edge: Edge;
  /** Sent with every response; lower-case names. */
  readonly responseHeaders: StringMap | undefined;
  /** To be called when a request has ended. */
  readonly onEnded: () => void;
  /** Takes connections of HTTP/1.1 that change the protocol. */
  readonly upgrades: UpgradeServer | undefined;
}
