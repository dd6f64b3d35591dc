import { createEdge, type Edge } from "../edge/index.ts";
import { gatewayErrors } from "../errors.ts";
import {
  bindReasonOf,
  certificateRefusal,
  type Drained,
  Draining,
  httpLimitDefaults,
  type HttpLimits,
  type HttpListener,
  type HttpListenerOptions,
  type TlsMaterial,
  stoppingResponse,
  Sweeper,
  writeAnswer,
} from "../listening/index.ts";
import { errorResponse, type GatewayResponse } from "../request.ts";
import { Http3Connection, type Http3ConnectionOptions } from "./connection.ts";
import type { Http3Exchange } from "./exchange.ts";
import {
  loadOpenSsl,
  OpenSslListener,
  type QuicConnection,
  type QuicConnectionHandler,
  type QuicListener,
} from "./quic/index.ts";

const refusedHostResponse = errorResponse(400, "request must have one authority");
const refusedTargetResponse = errorResponse(400, "malformed request target");
const refusedHeadersResponse = errorResponse(431, "request has too many headers");
const refusedHeaderSizeResponse = errorResponse(431, "request headers are too large");
const refusedExpectResponse = errorResponse(417, "expectation is not supported");
const lateResponse = errorResponse(408, "request did not arrive in time");

/** What a listener for HTTP/3 needs: what one for the other versions needs, and TLS always. */
export type Http3ListenerOptions = Omit<
  HttpListenerOptions,
  "upgrades" | "responseHeaders" | "tls"
> & {
  /** Of the same files as that of the other listener. */
  readonly tls: TlsMaterial;
};

/**
 * Makes a listener for HTTP/3; nothing is opened before `start`.
 *
 * @param options Where to bind (a UDP port), what answers, and the limits.
 * @returns The listener; its port is one of UDP.
 * @throws AGENTRT_GATEWAY_HTTP3_UNAVAILABLE when the running Node has no QUIC to offer.
 */
export function createHttp3Listener(options: Http3ListenerOptions): HttpListener {
  return new Listener(options);
}

class Listener implements HttpListener {
  readonly #options: Http3ListenerOptions & { readonly limits: HttpLimits; readonly edge: Edge };
  readonly #quic: QuicListener;
  readonly #connections = new Set<Http3Connection>();
  readonly #connectionOptions: Http3ConnectionOptions;
  readonly #sweeper: Sweeper;
  readonly #draining: Draining;
  #acceptedCount = 0;
  /** The socket stays open for the connections that are there. */
  #isPortClosed = false;

  constructor(options: Http3ListenerOptions) {
    const limits: HttpLimits = { ...httpLimitDefaults, ...options.limits };
    const edge = options.edge ?? createEdge({ system: options.system });
    this.#options = { ...options, limits, edge };
    const { node, host, port, tls, system } = options;
    const openSsl = loadOpenSsl();
    if ("missing" in openSsl) {
      throw new gatewayErrors.HTTP3_UNAVAILABLE({ node, reason: openSsl.missing });
    }
    this.#connectionOptions = {
      system,
      limits,
      onRequest: (exchange, excess) => this.#answer(exchange, excess),
      onLate: (exchange) => this.#write(exchange, lateResponse),
      onClosed: (connection) => this.#onClosed(connection),
      onEnded: () => this.#draining.onEnded(),
    };
    this.#quic = new OpenSslListener({
      openSsl,
      host,
      port,
      tls,
      system,
      onConnection: (connection) => this.#onConnection(connection),
    });
    this.#sweeper = new Sweeper({
      system,
      intervalMs: limits.checkIntervalMs,
      sweep: (nowMs) => this.#sweep(nowMs),
    });
    // GOAWAY: requests in work go on, the client opens no more, and the connection closes behind the last.
    const sayGoAway = (): void => {
      for (const connection of this.#connections) connection.goAway();
    };
    this.#draining = new Draining(system, {
      acceptedCount: () => this.#acceptedCount,
      announce: () => undefined,
      closePort: () => {
        this.#isPortClosed = true;
      },
      refuse: sayGoAway,
      workCount: () => this.#workCount(),
      endWork: () => {
        for (const { exchanges } of this.#connections)
          for (const exchange of exchanges) this.#endExchange(exchange);
      },
      hangUp: sayGoAway,
      isOpen: () => this.#connections.size > 0,
      cut: () => this.#cutAll(),
      closed: () => this.#quic.stop(),
    });
  }

  async start(): Promise<{ readonly port: number }> {
    const { node, host, port } = this.#options;
    try {
      return await this.#quic.start();
    } catch (cause) {
      const reason = bindReasonOf(cause as NodeJS.ErrnoException);
      throw new gatewayErrors.BIND_FAILED({ node, host, port, reason }, { cause });
    }
  }

  /** See `HttpListener.useTls`. */
  useTls(tls: TlsMaterial): void {
    this.#quic.useTls(tls);
  }

  announce(): void {
    this.#draining.announce();
  }

  close(): Promise<void> {
    return this.#draining.close();
  }

  /** All connections share its socket: another listener can have the port when they have ended. */
  async leavePort(options: { readonly timeoutMs: number }): Promise<void> {
    await this.#draining.stop(options);
  }

  end(): Promise<Drained> {
    return this.#draining.end();
  }

  stop(options: { readonly timeoutMs: number }): Promise<Drained> {
    return this.#draining.stop(options);
  }

  #workCount(): number {
    let count = 0;
    for (const { exchanges } of this.#connections) count += exchanges.size;
    return count;
  }

  #endExchange(exchange: Http3Exchange): void {
    if (exchange.isBegun) return;
    if (exchange.hasHead) this.#write(exchange, stoppingResponse);
    exchange.abandon();
  }

  #cutAll(): void {
    for (const connection of this.#connections) connection.cut();
    this.#sweeper.stop();
  }

  #onConnection(quic: QuicConnection): QuicConnectionHandler {
    const connection = new Http3Connection(quic, this.#connectionOptions);
    this.#connections.add(connection);
    const isFull = this.#connections.size > this.#options.limits.http3ConnectionCountMax;
    if (isFull || this.#isPortClosed) connection.cut();
    else this.#acceptedCount += 1;
    this.#sweeper.plan();
    return connection;
  }

  #onClosed(connection: Http3Connection): void {
    this.#connections.delete(connection);
    const { certificateFault: reason, clientIp: client } = connection;
    if (reason !== undefined)
      this.#options.onRefusal?.(certificateRefusal("http3", { client, reason }));
    this.#draining.onEnded();
  }

  #answer(exchange: Http3Exchange, excess: "size" | "count" | undefined): void {
    exchange.record = this.#options.edge.open(exchange);
    const refusal = this.#refuse(exchange, excess);
    if (refusal !== undefined) this.#write(exchange, refusal);
    else void this.#options.chain(exchange).then((answer) => this.#write(exchange, answer));
  }

  #write(exchange: Http3Exchange, answer: GatewayResponse): void {
    writeAnswer(exchange, answer, { ...this.#options, responseHeaders: undefined });
  }

  /** What can be refused before anybody looks at the request; `undefined` for nothing. */
  #refuse(
    exchange: Http3Exchange,
    excess: "size" | "count" | undefined,
  ): GatewayResponse | undefined {
    if (this.#draining.isRefusing) return stoppingResponse;
    if (excess === "count") return refusedHeadersResponse;
    if (excess === "size") return refusedHeaderSizeResponse;
    if (exchange.isAuthorityUnclear) return refusedHostResponse;
    const { target, headers } = exchange;
    if (!target.startsWith("/") && target !== "*") return refusedTargetResponse;
    const { expect } = headers;
    return expect === undefined || expect.toLowerCase() === "100-continue"
      ? undefined
      : refusedExpectResponse;
  }

  #sweep(nowMs: number): boolean {
    for (const connection of this.#connections) connection.sweep(nowMs);
    this.#quic.sweep();
    return this.#connections.size > 0;
  }
}
