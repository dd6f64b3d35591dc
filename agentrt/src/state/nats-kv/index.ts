/**
 * States in a key-value bucket of NATS, which all processes of a topology may use at the same time.
 *
 * It must not know agents, supervision or messages.
 */
export {
  defaultBucket,
  NatsKvStateStore,
  type NatsKvStateStoreOptions,
} from "./nats-kv-state-store.ts";
