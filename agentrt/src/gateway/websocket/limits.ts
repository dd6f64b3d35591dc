/** Bounds of the WebSocket connections of one gateway. Every one has a default. */
export interface WebSocketLimits {
  /** Open connections, those included that still authenticate. Default 5 000. More: 503. */
  readonly connectionCountMax: number;
  /** One message of a client, bytes, its fragments together. Default 1 048 576. More: closed with 1009. */
  readonly messageSizeBytesMax: number;
  /** Fragments of one message. Default 1 024. More: closed with 1008. */
  readonly fragmentCountMax: number;
  /** Deepest nesting of a message's JSON, 1 to 1 000. Default 128. */
  readonly jsonDepthMax: number;
  /** Messages of one connection in work. Default 32. With so many the gateway reads no further ones. */
  readonly inWorkCountMax: number;
  /** Bytes that wait for a slow client. Default 1 048 576. With so many no further chunk is taken from the agent. */
  readonly bufferedSizeBytesMax: number;
  /** How long nothing may be taken by a client that has such a backlog, milliseconds. Default 60 000. */
  readonly stallTimeoutMs: number;
  /** Silence after which the client is asked whether it is there, milliseconds. Default 30 000. */
  readonly pingIntervalMs: number;
  /** How long the answer to that may take, milliseconds. Default 20 000. */
  readonly pongTimeoutMs: number;
  /** How long a connection may be open without a message either way, milliseconds. Default 300 000. */
  readonly idleTimeoutMs: number;
  /** How often the times are looked at, milliseconds. Default 1 000. */
  readonly checkIntervalMs: number;
  /** Pings and pongs of a client at once. Default 200. More: closed with 1008. */
  readonly controlFrameCountMax: number;
  /** How many of those are forgiven a second. Default 33. */
  readonly controlFramesForgivenPerSecond: number;
  /** Chunks of one reply that wait in the gateway. Default 256. */
  readonly queueLengthMax: number;
  /** Longest life of one streamed reply, milliseconds. Default 3 600 000. */
  readonly durationMsMax: number;
}

/** The default of each limit. */
export const webSocketLimitDefaults: WebSocketLimits = {
  connectionCountMax: 5_000,
  messageSizeBytesMax: 1_048_576,
  fragmentCountMax: 1_024,
  jsonDepthMax: 128,
  inWorkCountMax: 32,
  bufferedSizeBytesMax: 1_048_576,
  stallTimeoutMs: 60_000,
  pingIntervalMs: 30_000,
  pongTimeoutMs: 20_000,
  idleTimeoutMs: 300_000,
  checkIntervalMs: 1_000,
  controlFrameCountMax: 200,
  controlFramesForgivenPerSecond: 33,
  queueLengthMax: 256,
  durationMsMax: 3_600_000,
};
