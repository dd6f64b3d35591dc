/**
 * Connections to NATS servers: made with keys and certificates, tried again while none is there; and key-value buckets.
 *
 *     settings → NatsConnector → connection ── NatsBucket (a stream KV_<name>)
 *
 * The client libraries are packages of the user, loaded when somebody connects. What is wrong with a connection is said in
 * words for who wrote the topology.
 *
 * It must not know agents, messages or states.
 */
export { type BucketEntry, type BucketWrite, NatsBucket } from "./bucket.ts";
export type { NatsClient, NatsConnection, NatsMessage } from "./client-types.ts";
export { NatsConnectError, NatsConnector } from "./connect.ts";
export { faultOf, faultReason } from "./faults.ts";
export type {
  ConsumerMessages,
  JetStream,
  JetStreamLibrary,
  JetStreamManager,
  JetStreamMessage,
} from "./jetstream-types.ts";
export { LazyBucket } from "./lazy-bucket.ts";
export type { ObjectPlace } from "./object-bucket.ts";
export { placeText, readPlace } from "./object-place.ts";
export { isMissing, loadJetStream, loadNatsClient } from "./load.ts";
export { type NatsSettings, type NatsTls, withoutPassword } from "./settings.ts";
export { consumerNameOf } from "./names.ts";
export { ensureStream, streamLimits, StreamUnfit } from "./stream.ts";
