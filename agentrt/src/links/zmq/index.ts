/**
 * Messages between processes over ZeroMQ: each process has a socket that sends to a proxy and one that it gets from.
 *
 *     publish → SendQueue → PUB ──→ XSUB (proxy) XPUB ──→ SUB → receive
 *
 * The proxy knows who has subscribed to what; it is in the supervisor's process, or runs at the addresses already. What comes
 * is numbered by its sender, so that what is missing is known and counted.
 *
 * It must not know what the bytes are.
 */
export type { CurveClientKeys, CurveServerKeys } from "./zmq-settings.ts";
export { makeCurveKeys } from "./load-client.ts";
export { ZmqLink, type ZmqLinkEvent, type ZmqLinkOptions } from "./zmq-link.ts";
