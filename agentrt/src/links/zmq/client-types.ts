/** The ZeroMQ client library, as far as it is used: its package is the user's, and our declarations must not need it. */
export interface ZmqClient {
  readonly Publisher: new (options: ZmqSenderOptions) => ZmqPublisher;
  readonly XPublisher: new (options: ZmqSenderOptions) => ZmqProxySocket;
  readonly XSubscriber: new (
    options: ZmqReceiverOptions & ZmqSenderOptions,
  ) => ZmqSubscriber & ZmqProxySocket;
  readonly Router: new (options: ZmqSocketOptions) => ZmqRouter;
  /** What sockets share that ask the same authority who may connect. */
  readonly Context: new () => object;
  /** Makes a pair of keys, each 40 characters of Z85. */
  curveKeyPair(): { readonly publicKey: string; readonly secretKey: string };
  /** Makes what forwards between two sockets of this library, which listen. */
  proxyOf(front: ZmqProxySocket, back: ZmqProxySocket): ZmqRunningProxy;
}

/** What each socket is made with. Times are milliseconds. */
interface ZmqSocketOptions {
  linger?: number;
  ipv6?: boolean;
  reconnectInterval?: number;
  reconnectMaxInterval?: number;
  heartbeatInterval?: number;
  heartbeatTimeout?: number;
  /** The option is taken out of the object: each socket needs one of its own making. */
  context?: object;
  curveServer?: boolean;
  curvePublicKey?: string;
  curveSecretKey?: string;
  curveServerKey?: string;
  zapDomain?: string;
  /** Refuses clients where nobody says who may connect. */
  zapEnforceDomain?: boolean;
  /** Most bytes of one part of a message; a peer that sends more is disconnected. */
  maxMessageSize?: number;
}

/** A socket that sends. */
export interface ZmqSenderOptions extends ZmqSocketOptions {
  /** Most messages that wait for one peer. */
  sendHighWaterMark?: number;
  /** Refuses what has no room; without it such a message is lost. */
  noDrop?: boolean;
  /** How long a message waits for room before it is refused. */
  sendTimeout?: number;
}

/** A socket that receives. */
export interface ZmqReceiverOptions extends ZmqSocketOptions {
  /** Most messages of one peer that wait. */
  receiveHighWaterMark?: number;
}

/** What happens to a socket: `connect`, `handshake` and `disconnect` among others. */
interface ZmqEvents {
  on(
    type: "handshake" | "disconnect" | "handshake:error:auth" | "handshake:error:protocol",
    listener: () => void,
  ): unknown;
}

/** A socket that answers whom it heard from. */
interface ZmqRouter extends AsyncIterable<Buffer[]> {
  bind(address: string): Promise<void>;
  send(parts: (Buffer | string)[]): Promise<void>;
  close(): void;
}

/** A socket that sends to a proxy. One `send` at a time: another one meanwhile is refused. */
export interface ZmqPublisher {
  readonly events: ZmqEvents;
  connect(address: string): void;
  close(): void;
  send(parts: Uint8Array[]): Promise<void>;
}

/** A socket that takes what begins with what it has subscribed to. It subscribes by messages to its peer. */
export interface ZmqSubscriber {
  readonly events: ZmqEvents;
  /** Settles with the parts of the next message; rejects when the socket is closed. */
  receive(): Promise<Buffer[]>;
  connect(address: string): void;
  close(): void;
  send(message: Buffer): Promise<void>;
}

/** One of the two sockets of a proxy. */
export interface ZmqProxySocket {
  bind(address: string): Promise<void>;
  close(): void;
  send(message: Buffer): Promise<void>;
}

/** What forwards between both, in a thread of the library. */
export interface ZmqRunningProxy {
  /** Settles when it has ended; both sockets are closed then. */
  run(): Promise<void>;
  terminate(): void;
}
