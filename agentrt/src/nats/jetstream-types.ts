/** The JetStream client library, as far as it is used: its package is the user's, and our declarations must not need it. */
import type { NatsConnection, NatsHeaders } from "./client-types.ts";

/** What the package exports. */
export interface JetStreamLibrary {
  jetstream(connection: NatsConnection, options?: { timeout?: number }): JetStream;
  jetstreamManager(
    connection: NatsConnection,
    options?: { timeout?: number },
  ): Promise<JetStreamManager>;
}

/** Publishes, and finds consumers. */
export interface JetStream {
  publish(subject: string, data: Uint8Array, options?: PublishOptions): Promise<PublishAck>;
  readonly consumers: {
    get(stream: string, name: string | OrderedConsumerOptions): Promise<Consumer>;
  };
}

/** What goes with a message. */
export interface PublishOptions {
  /** The server takes a second one of the same id for the first. */
  msgID?: string;
  /** Milliseconds. */
  timeout?: number;
  headers?: NatsHeaders;
  expect?: { lastSubjectSequence?: number };
}

/** What the server says once it has stored a message. */
export interface PublishAck {
  readonly stream: string;
  readonly seq: number;
  readonly duplicate: boolean;
}

/** A consumer that nobody else sees, in the order of the stream. */
export interface OrderedConsumerOptions {
  deliver_policy: "last_per_subject";
  filter_subjects: string;
  headers_only: boolean;
}

/** Takes messages of a stream. */
export interface Consumer {
  info(): Promise<{ readonly num_pending: number }>;
  consume(options: {
    max_messages: number;
    expires: number;
    idle_heartbeat: number;
    abort_on_missing_resource: boolean;
  }): Promise<ConsumerMessages>;
}

/** Messages as they come. */
export interface ConsumerMessages extends AsyncIterable<JetStreamMessage> {
  close(): Promise<void | Error>;
}

/** A stored message on its way to a consumer. */
export interface JetStreamMessage {
  readonly subject: string;
  readonly data: Uint8Array;
  /** What is said of it goes there. The library has it, and its declarations do not. */
  readonly reply?: string;
  readonly headers?: NatsHeaders | undefined;
  readonly info: {
    /** 1 for the first time. */
    readonly deliveryCount: number;
    readonly streamSequence: number;
    /** Messages of the consumer that wait behind it. */
    readonly pending: number;
  };
}

/** Streams and consumers as they are kept by the server. */
export interface JetStreamManager {
  readonly streams: {
    info(name: string): Promise<{ readonly config: StreamConfig }>;
    add(config: StreamConfig): Promise<unknown>;
    /** @returns The name of the stream that has a subject; rejects when none has. */
    find(subject: string): Promise<string>;
    getMessage(
      stream: string,
      query: { last_by_subj: string } | { seq: number },
    ): Promise<StoredMessage | null>;
    purge(stream: string, options: { filter: string }): Promise<unknown>;
  };
  /** Questions that any server of the stream answers, without a detour over its leader. */
  readonly direct: {
    getMessage(stream: string, query: { seq: number }): Promise<DirectMessage | null>;
  };
  readonly consumers: {
    add(stream: string, config: ConsumerConfig): Promise<unknown>;
    /** Changes one that is there. */
    update(stream: string, name: string, change: Partial<ConsumerConfig>): Promise<unknown>;
  };
}

/** A message of a stream, asked for by its number. */
export interface DirectMessage {
  readonly subject: string;
  readonly data: Uint8Array;
}

/** A message as the stream keeps it. */
export interface StoredMessage {
  readonly seq: number;
  readonly data: Uint8Array;
  readonly header: NatsHeaders;
  readonly time: Date;
}

/** A stream, by the names of the server. Times are nanoseconds. */
export interface StreamConfig {
  name: string;
  subjects: string[];
  retention: "limits" | "interest" | "workqueue";
  storage: "file" | "memory";
  discard: "old" | "new";
  num_replicas: number;
  max_bytes: number;
  max_age: number;
  max_msgs_per_subject: number;
  duplicate_window?: number;
  allow_rollup_hdrs?: boolean;
  allow_direct?: boolean;
}

/** A consumer, by the names of the server. Times are nanoseconds. */
export interface ConsumerConfig {
  durable_name: string;
  filter_subject: string;
  ack_policy: "explicit";
  deliver_policy: "all";
  ack_wait: number;
  max_ack_pending: number;
  max_deliver: number;
}
