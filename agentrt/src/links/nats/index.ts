/**
 * Messages between processes over a NATS server: one subject for each address, one subscription for each name.
 *
 * It must not know what the bytes are.
 */
export { NatsLink, type NatsLinkEvent, type NatsLinkOptions } from "./nats-link.ts";
