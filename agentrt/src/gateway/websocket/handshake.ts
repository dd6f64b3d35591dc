import type { IncomingMessage } from "node:http";
import { errorResponse, type GatewayResponse } from "../request.ts";

const keyPattern = /^[+/0-9A-Za-z]{22}==$/;
const tokenPattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const bearerPrefix = "agentrt.bearer.";

const malformedKey = errorResponse(400, "malformed Sec-WebSocket-Key header");
const malformedProtocol = errorResponse(400, "malformed Sec-WebSocket-Protocol header");
const unknownVersion = errorResponse(426, "WebSocket version is not supported: send 13", {
  "sec-websocket-version": "13",
  upgrade: "websocket",
});

/** The answer to a request without upgrade on the path of a WebSocket route. */
export const upgradeRequired: GatewayResponse = errorResponse(
  426,
  "this path speaks only WebSocket",
  { upgrade: "websocket" },
);

/** What the subprotocols of a handshake say. */
export interface Offer {
  /** The one to select: the bearer's, or else the first; `undefined` when none was offered. */
  readonly protocol: string | undefined;
  /** The token behind the first `agentrt.bearer.`. */
  readonly token: string | undefined;
}

/**
 * Looks at the handshake as such (RFC 6455 section 4.2.1); who asks, and for what, is not looked at.
 *
 * @param message The request.
 * @returns What it offers, or the response that refuses it.
 */
export function readHandshake(message: IncomingMessage): Offer | GatewayResponse {
  const { headers } = message;
  if (!keyPattern.test(headers["sec-websocket-key"] ?? "")) return malformedKey;
  if (headers["sec-websocket-version"] !== "13") return unknownVersion;
  const offered = headers["sec-websocket-protocol"]?.split(",").map((name) => name.trim()) ?? [];
  const isWellFormed = offered.every((name) => tokenPattern.test(name));
  if (!isWellFormed || new Set(offered).size !== offered.length) return malformedProtocol;
  const bearer = offered.find((name) => name.startsWith(bearerPrefix));
  return { protocol: bearer ?? offered[0], token: bearer?.slice(bearerPrefix.length) };
}
