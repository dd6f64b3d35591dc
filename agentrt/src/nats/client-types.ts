/** The NATS client library, as far as it is used: its package is the user's, and our declarations must not need it. */
export interface NatsClient {
  /** Connects, or rejects. */
  connect(options: NatsConnectOptions): Promise<NatsConnection>;
  /** Makes an empty set of headers. */
  headers(): NatsHeaders;
  /** Proves who the client is, by the seed of its key. */
  nkeyAuthenticator(seed: Uint8Array): unknown;
}

/** How a connection is made. Times are milliseconds. */
export interface NatsConnectOptions {
  servers: string[];
  name: string;
  timeout: number;
  maxReconnectAttempts: number;
  reconnectTimeWait: number;
  pingInterval: number;
  maxPingOut: number;
  ignoreAuthErrorAbort: boolean;
  noAsyncTraces: boolean;
  tls?: NatsTlsFiles;
  // oxlint-disable-next-line typescript/no-explicit-any -- what the library makes goes back to it as it is
  authenticator?: any;
}

/** PEM files, which are read again at each connection. */
export interface NatsTlsFiles {
  certFile?: string;
  keyFile?: string;
  caFile?: string;
}

/** Headers of a message. */
export interface NatsHeaders {
  get(name: string): string;
  set(name: string, value: string): void;
}

/** A message that came. */
export interface NatsMessage {
  readonly data: Uint8Array;
  readonly headers?: NatsHeaders | undefined;
}

/** A connection, which connects again by itself. */
export interface NatsConnection {
  /** What the server says of itself; undefined while not connected. */
  readonly info?: { readonly max_payload: number } | undefined;
  publish(subject: string, payload: Uint8Array, options?: { headers?: NatsHeaders }): void;
  subscribe(
    subject: string,
    options: { callback: (error: Error | null, message: NatsMessage) => void },
  ): { unsubscribe(): void };
  flush(): Promise<void>;
  drain(): Promise<void>;
  close(): Promise<void>;
  isClosed(): boolean;
  /** What happens to it, as it happens. */
  status(): AsyncIterable<NatsStatus>;
}

/** What happens to a connection: `disconnect`, `reconnect`, `close` or `error` among others. */
export interface NatsStatus {
  readonly type: string;
  readonly server?: string;
  readonly error?: Error;
}
