/**
 * Messages to and from the agents of other processes.
 *
 *   bus → RemoteAddress → Exchange ── Link (a broker) ── Exchange → the agent's address → Mailbox
 *
 * A request goes to the topic of the agent's name. Answers, the chunks of a stream, credit for more of them and
 * cancellation go from process to process by the id of the request. What a link loses, the caller's time limit ends; the
 * end of a process ends the requests to it at once. Delivery is at most once.
 *
 * It must not know topologies, supervision, or which agent is where.
 */
export {
  ControlChannel,
  type ControlChannelInit,
  type ControlHandler,
  type ControlMessage,
} from "./control-channel.ts";
export { decodeFault, encodeFault } from "./fault-codec.ts";
export { linkErrors } from "./errors.ts";
export { Exchange, type ExchangeInit } from "./exchange.ts";
export type { Link } from "./link.ts";
export { NatsLink, type NatsLinkEvent, type NatsLinkOptions } from "./nats/index.ts";
export {
  type CurveClientKeys,
  type CurveServerKeys,
  makeCurveKeys,
  ZmqLink,
  type ZmqLinkEvent,
  type ZmqLinkOptions,
} from "./zmq/index.ts";
export { type SignatureFault, SignedLink, type Signer, type Verifier } from "./signing/index.ts";
export { RemoteAddress, type RemoteFacts, unknownFacts } from "./remote-address.ts";
