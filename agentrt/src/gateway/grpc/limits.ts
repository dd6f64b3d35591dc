/** Bounds of gRPC. Every one has a default. */
export interface GrpcLimits {
  /** Open connections. Default 10 000. More are closed at once. */
  readonly connectionCountMax: number;
  /** Calls of one connection in work. Default 128. More are refused by HTTP/2. */
  readonly concurrentCallCountMax: number;
  /** One message of a client, bytes. Default 4 194 304. More: RESOURCE_EXHAUSTED. */
  readonly messageSizeBytesMax: number;
  /** Metadata of a call, bytes. Default 16 384. More: the call is refused. */
  readonly metadataSizeBytesMax: number;
  /** Memory one connection may hold in buffers and header tables, megabytes. Default 10. */
  readonly sessionMemoryMegabytesMax: number;
  /** Time for the handshake of TLS, milliseconds. Default 10 000. */
  readonly handshakeTimeoutMs: number;
  /** How long a connection may be open without a call, milliseconds. Default 300 000. */
  readonly idleTimeoutMs: number;
  /** How long a client may take nothing while a message waits for it, milliseconds. Default 60 000. */
  readonly stallTimeoutMs: number;
  /** How often idle connections are looked for, milliseconds. Default 1 000. */
  readonly checkIntervalMs: number;
  /** Frames of one connection that cost work and bring nothing, at once. Default 200. More: it is closed. */
  readonly wastedFrameCountMax: number;
  /** How many of those are forgiven a second. Default 33. */
  readonly wastedFramesForgivenPerSecond: number;
  /** Chunks of one reply that wait in the gateway. Default 256. */
  readonly queueLengthMax: number;
  /** How long a streamed reply may be without a chunk, milliseconds. Default 300 000. */
  readonly streamIdleTimeoutMs: number;
  /** Longest life of one streamed reply, milliseconds. Default 3 600 000. */
  readonly durationMsMax: number;
}

/** The default of each limit. */
export const grpcLimitDefaults: GrpcLimits = {
  connectionCountMax: 10_000,
  concurrentCallCountMax: 128,
  messageSizeBytesMax: 4_194_304,
  metadataSizeBytesMax: 16_384,
  sessionMemoryMegabytesMax: 10,
  handshakeTimeoutMs: 10_000,
  idleTimeoutMs: 300_000,
  stallTimeoutMs: 60_000,
  checkIntervalMs: 1_000,
  wastedFrameCountMax: 200,
  wastedFramesForgivenPerSecond: 33,
  queueLengthMax: 256,
  streamIdleTimeoutMs: 300_000,
  durationMsMax: 3_600_000,
};
