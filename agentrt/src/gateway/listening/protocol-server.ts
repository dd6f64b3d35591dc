import type { Socket } from "node:net";
import type { System } from "../../core/index.ts";
import type { RequestChain } from "../chain/index.ts";
import type { GatewayLog } from "../ports.ts";
import type { StringMap } from "../request.ts";
import type { HttpLimits } from "./http-limits.ts";
import type { UpgradeServer } from "./upgrade-server.ts";

/** What speaks one version of HTTP on the connections that a listener accepts. */
export interface ProtocolServer {
  /** Takes a connection; bytes that came already wait in its buffer. */
  accept(socket: Socket): void;
  /** Closes idle connections at once and the others after their requests in work; new requests are refused. */
  stop(): void;
  /**
   * Closes what is left.
   *
   * @returns How many requests were cut off.
   */
  cut(): number;
}

/** What every version of HTTP is served with. */
export interface ProtocolServerOptions {
  /** Name of the node, for the log. */
  readonly node: string;
  readonly chain: RequestChain;
  readonly system: System;
  readonly log: GatewayLog;
  readonly limits: HttpLimits;
  /** Sent with every response; lower-case names. */
  readonly responseHeaders: StringMap | undefined;
  /** Takes connections of HTTP/1.1 that change the protocol. */
  readonly upgrades: UpgradeServer | undefined;
}
