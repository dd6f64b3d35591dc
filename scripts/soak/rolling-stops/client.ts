/** A request that did not get its whole answer. */
export interface Failure {
  /**
   * The latest moment at which it can have left the client, seconds since 1970. Infinite where nobody knows: such a one
   * counts where nothing may be lost, and cannot be shown to be lost where only early requests may not.
   */
  readonly sentS: number;
  readonly error: string;
}

/** What one client saw. */
export interface Seen {
  /** Answered whole, with a status of success. */
  readonly ok: number;
  /** Refused as not taken, by the close frame of WebSocket or by HTTP/3, and sent again with success. */
  readonly resent: number;
  readonly failures: readonly Failure[];
}

/** What asks, and over which protocol. */
export interface ClientName {
  readonly name: string;
  readonly protocol: "HTTP/1.1" | "HTTP/2" | "HTTP/3" | "WebSocket" | "gRPC";
}

/** A client at work. */
export interface Running extends ClientName {
  /** Settles when its first request was answered. */
  readonly ready: Promise<unknown>;
  /** Ends it behind its last request. */
  stop(): Promise<Seen>;
}

/** Where clients send their requests. */
export interface Targets {
  readonly http1: number;
  readonly http2: number;
  readonly grpc: number;
  /** UDP ports of HTTP/3, of every run: its client goes on to the next. */
  readonly http3: readonly number[];
}

/** The answer of the agent behind every route but that of the events. */
export const wholeAnswer = '{"done":true}';

/**
 * Asks again and again, one request after the other.
 *
 * @param client Who asks.
 * @param ask Gives what came of one request, or of several; what it throws is a fault of the client itself.
 */
export function askOnAndOn(client: ClientName, ask: () => Promise<Partial<Seen>>): Running {
  const ended = new AbortController();
  const { promise: ready, resolve: beReady, reject } = Promise.withResolvers<void>();
  const sum = { ok: 0, resent: 0, failures: [] as Failure[] };
  const done = (async () => {
    while (!ended.signal.aborted) {
      const { ok = 0, failures = [] } = await ask();
      sum.ok += ok;
      sum.failures.push(...failures);
      if (ok > 0) beReady();
      else await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  done.catch(reject);
  return {
    ...client,
    ready,
    async stop() {
      ended.abort();
      await done;
      return sum;
    },
  };
}
