/**
 * Message delivery: from `call`, `cast` and `send` to the receiver's mailbox.
 *
 *     call(to, payload) → route by name → copy and check the payload → Message → Transport → mailbox
 *     handler's result  → copy and check → the promise that travels in the message
 *
 * In: a name, a payload from application code, options. Out: a `Message` in a mailbox, a settled promise, a counter.
 * A payload is copied on the way in and a reply on the way out, so neither side ever sees what the other does to its
 * own object; what is not plain JSON is refused with its path. The copy is made here, once, for every transport: a
 * transport receives messages that are checked already and belong to nobody else.
 *
 * The deadline of a call is an entry on the runtime's timer wheel, not a timer, and its promise travels in
 * the message, not in a table. Delivery is at most once; a message that nobody handles is counted by reason.
 *
 * This folder must not know agents, supervisors or what a payload means; it knows names, mailboxes as `Address`, and
 * the ports of `core`.
 */
export { InProcessTransport } from "./in-process-transport.ts";
export { MessageBus, type MessageBusInit } from "./message-bus.ts";
export { makeBus, type ResilientBusInit } from "./resilient-bus.ts";
export type { Transport } from "./transport.ts";
