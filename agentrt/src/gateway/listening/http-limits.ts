/** Bounds of one listener, for HTTP/1.1, HTTP/2 and HTTP/3. Every one has a default. */
export interface HttpLimits {
  /** Request line and headers together, bytes. Default 16 384. More: 431. */
  readonly headerSizeBytesMax: number;
  /** Header lines of a request. Default 100. More: 431. */
  readonly headerCountMax: number;
  /** Time for request line and headers, milliseconds. Default 10 000. Later: 408. */
  readonly headersTimeoutMs: number;
  /** Time for the whole request, body included, milliseconds. Default 60 000. Later: 408. */
  readonly receiveTimeoutMs: number;
  /** How long a connection may stay open between two requests, milliseconds. Default 60 000. */
  readonly idleTimeoutMs: number;
  /**
   * How long a connection may be still while a request is worked on or its response waits to be taken,
   * milliseconds: longer than the longest call. Default 120 000; a gateway node adds its `requestTimeoutMs`.
   */
  readonly stallTimeoutMs: number;
  /** How often the header and request times are looked at, milliseconds. Default 1 000. */
  readonly checkIntervalMs: number;
  /** Open connections. Default 10 000. More are closed at once. */
  readonly connectionCountMax: number;
  /**
   * HTTP/3: open connections. Default 1 000: whenever something comes, OpenSSL looks at every connection, about 3 µs
   * each. More are closed at once.
   */
  readonly http3ConnectionCountMax: number;
  /** Requests of one connection in work at a time (pipelining). Default 64. More: 503. */
  readonly pipelinedCountMax: number;
  /** Bytes of a body that are still read and discarded after its request was answered. Default 1 048 576. */
  readonly discardSizeBytesMax: number;
  /** HTTP/2: requests of one connection in work at a time. Default 128. More are refused by the protocol. */
  readonly concurrentStreamCountMax: number;
  /** HTTP/2: memory one connection may hold in buffers and header tables, megabytes. Default 10. More: it is closed. */
  readonly sessionMemoryMegabytesMax: number;
  /**
   * HTTP/2: frames of one connection that cost work and bring nothing (pings, settings, requests taken back, requests
   * that break the protocol), at once. Default 200. More: the connection is closed with ENHANCE_YOUR_CALM.
   */
  readonly wastedFrameCountMax: number;
  /** HTTP/2: how many of those are forgiven a second. Default 33. */
  readonly wastedFramesForgivenPerSecond: number;
}

/** The default of each limit. */
export const httpLimitDefaults: HttpLimits = {
  headerSizeBytesMax: 16_384,
  headerCountMax: 100,
  headersTimeoutMs: 10_000,
  receiveTimeoutMs: 60_000,
  idleTimeoutMs: 60_000,
  stallTimeoutMs: 120_000,
  checkIntervalMs: 1_000,
  connectionCountMax: 10_000,
  http3ConnectionCountMax: 1_000,
  pipelinedCountMax: 64,
  discardSizeBytesMax: 1_048_576,
  concurrentStreamCountMax: 128,
  sessionMemoryMegabytesMax: 10,
  wastedFrameCountMax: 200,
  wastedFramesForgivenPerSecond: 33,
};
