/**
 * A way by which requests come into a runtime from outside: a gateway that listens. A stop closes every entrance, and
 * waits for what came in by it, before any agent stops.
 */
export interface Entrance {
  readonly name: string;
  /** Where it listens, each port once. */
  readonly listeners?: readonly ListeningAddress[];
  /** Longest that a request may take, milliseconds. */
  readonly requestTimeoutMs: number;
  /** The stop was announced: requests are served as before, and clients are asked to go elsewhere, where the protocol has a way to say so. */
  announce(): void;
  /** Opens again what it has read from files: certificates, keys, logs. What cannot be used leaves the old one. */
  reopen?(): Promise<void>;
  /**
   * Takes no new connections and no new requests.
   *
   * @returns Settles when all requests that were accepted are answered.
   */
  close(): Promise<void>;
  /**
   * Ends what is left as its protocol says, and the connections.
   *
   * @returns How many requests were cut off.
   */
  end(): Promise<{ readonly cutCount: number }>;
}

/** A port that is listened on. */
export interface ListeningAddress {
  /** What is spoken there: `http` and `https` are HTTP/1.1, HTTP/2 and WebSocket; `http3` is on UDP. */
  readonly protocol: "http" | "https" | "http3" | "grpc";
  /** As the settings say it. */
  readonly host: string;
  readonly port: number;
}
