import {
  createServer,
  type Http2Server as Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { Socket } from "node:net";
import { errorResponse, type GatewayResponse } from "../request.ts";
import {
  calmDown,
  FrameBudget,
  isAuthority,
  isTakenBack,
  nameFloods,
  type ProtocolServer,
  type ProtocolServerOptions,
  joinRepeatedAuthorization,
  TurnEnd,
  stoppingResponse,
  Sweeper,
  writeAnswer,
} from "../listening/index.ts";
import { Http2Exchange, Http2Peer } from "./http2-exchange.ts";

const refusedHostResponse = errorResponse(400, "request must have one authority");
const refusedAuthorityResponse = errorResponse(400, "malformed authority");
const refusedTargetResponse = errorResponse(400, "malformed request target");
const refusedHeadersResponse = errorResponse(431, "request has too many headers");
const refusedHeaderSizeResponse = errorResponse(431, "request headers are too large");
const refusedExpectResponse = errorResponse(417, "expectation is not supported");
const lateResponse = errorResponse(408, "request did not arrive in time");

const lastResortFactor = 10;

/** One connection. */
interface Connection {
  readonly session: ServerHttp2Session;
  readonly peer: Http2Peer;
  /** Requests in work, few. A Set's old tables would keep dead requests alive. */
  readonly exchanges: Http2Exchange[];
  readonly budget: FrameBudget;
  /** Since when no request is in work, on the monotonic clock. */
  idleSinceMs: number;
  /** Streams that nothing was heard of: Node resets those with swollen headers by itself, and says nothing. */
  readonly seen: { streamCount: number; lastStreamId: number };
}

/** Speaks HTTP/2 on connections that a listener has accepted, over TLS or in clear text by prior knowledge. */
export class Http2Server implements ProtocolServer {
  readonly #options: ProtocolServerOptions;
  readonly #server: Server;
  readonly #turnEnd: TurnEnd;
  readonly #connections = new Set<Connection>();
  readonly #sweeper: Sweeper;
  #isRefusing = false;

  constructor(options: ProtocolServerOptions) {
    this.#options = options;
    this.#turnEnd = new TurnEnd(options.system);
    const { limits, system } = options;
    this.#sweeper = new Sweeper({
      system,
      intervalMs: limits.checkIntervalMs,
      sweep: (nowMs) => this.#sweepAll(nowMs),
    });
    this.#server = createServer({
      maxSessionMemory: limits.sessionMemoryMegabytesMax,
      // Twice what we serve, so that a request with too many is seen and refused with a status, not with a reset.
      maxHeaderListPairs: 2 * limits.headerCountMax,
      // Counted in `#waste`, which says ENHANCE_YOUR_CALM; nghttp2 would say INTERNAL_ERROR, and is the last resort.
      streamResetBurst: lastResortFactor * limits.wastedFrameCountMax,
      streamResetRate: lastResortFactor * limits.wastedFramesForgivenPerSecond,
      maxSessionInvalidFrames: limits.wastedFrameCountMax,
      settings: {
        maxConcurrentStreams: limits.concurrentStreamCountMax,
        maxHeaderListSize: 2 * limits.headerSizeBytesMax,
        enableConnectProtocol: false,
      },
    });
    this.#server.on("session", (session) => this.#onSession(session));
    // Emitted again from each session, whose own close is what counts.
    this.#server.on("sessionError", () => undefined);
  }

  accept(socket: Socket): void {
    this.#server.emit("connection", socket);
  }

  announce(): void {
    // Node ignores whatever comes behind a GOAWAY, even what was sent before it.
  }

  refuse(): void {
    this.#isRefusing = true;
    // GOAWAY: streams in work go on, the client opens no more, and the connection closes behind the last.
    for (const { session } of this.#connections) session.close();
  }

  get workCount(): number {
    let count = 0;
    for (const { exchanges } of this.#connections) count += exchanges.length;
    return count;
  }

  endWork(): void {
    for (const { exchanges } of this.#connections) {
      for (const exchange of exchanges.slice()) {
        if (exchange.isBegun) continue;
        exchange.cancel();
        writeAnswer(exchange, stoppingResponse, this.#options);
      }
    }
  }

  hangUp(): void {
    for (const { session } of this.#connections) session.close();
  }

  cut(): void {
    for (const { session, exchanges } of this.#connections) {
      for (const exchange of exchanges.slice()) exchange.onClosed();
      session.destroy();
    }
    this.#sweeper.stop();
  }

  #onSession(session: ServerHttp2Session): void {
    const { system, limits } = this.#options;
    const nowMs = system.monotonicMs();
    const connection: Connection = {
      session,
      peer: new Http2Peer(session.socket),
      exchanges: [],
      budget: new FrameBudget({
        countMax: limits.wastedFrameCountMax,
        forgivenPerSecond: limits.wastedFramesForgivenPerSecond,
        nowMs,
      }),
      idleSinceMs: nowMs,
      seen: { streamCount: 0, lastStreamId: -1 },
    };
    this.#connections.add(connection);
    nameFloods(session);
    if (this.#isRefusing) session.close();
    session.on("close", () => {
      this.#connections.delete(connection);
      for (const exchange of connection.exchanges.slice()) exchange.onClosed();
    });
    session.on("error", () => undefined); // The peer broke the protocol or the connection; `close` follows.
    session.on("ping", () => this.#waste(connection));
    session.on("remoteSettings", () => this.#waste(connection));
    // oxlint-disable-next-line max-params -- Node calls it with these
    session.on("stream", (stream, headers, flags, rawHeaders) => {
      joinRepeatedAuthorization(headers, rawHeaders);
      this.#onStream(connection, stream, { headers, flags });
    });
    this.#sweeper.plan();
  }

  #onStream(
    connection: Connection,
    stream: ServerHttp2Stream,
    incoming: { readonly headers: IncomingHttpHeaders; readonly flags: number },
  ): void {
    const { chain, system } = this.#options;
    const exchange = new Http2Exchange(stream, incoming.headers, {
      flags: incoming.flags,
      peer: connection.peer,
      nowMs: system.monotonicMs(),
      turnEnd: this.#turnEnd,
    });
    exchange.record = this.#options.edge.open(exchange);
    connection.exchanges.push(exchange);
    // More than may be open: their client has taken some back, and their ends are only on their way here.
    const { concurrentStreamCountMax } = this.#options.limits;
    if (connection.exchanges.length > concurrentStreamCountMax) this.#waste(connection);
    connection.seen.streamCount += 1;
    stream.on("error", () => undefined); // What broke is the client's; `close` follows.
    stream.on("close", () => {
      connection.exchanges.splice(connection.exchanges.indexOf(exchange), 1);
      if (connection.exchanges.length === 0) connection.idleSinceMs = system.monotonicMs();
      if (!exchange.isAnswered || isTakenBack(stream)) this.#waste(connection);
      exchange.onClosed();
      this.#options.onEnded();
    });
    const refusal = this.#refuse(exchange, incoming.headers);
    if (refusal !== undefined) {
      writeAnswer(exchange, refusal, this.#options);
      return;
    }
    void chain(exchange).then((answer) => writeAnswer(exchange, answer, this.#options));
  }

  /** What can be refused before anybody looks at the request; `undefined` for nothing. */
  #refuse(exchange: Http2Exchange, incoming: IncomingHttpHeaders): GatewayResponse | undefined {
    if (this.#isRefusing) return stoppingResponse;
    const { limits } = this.#options;
    const { target, headers } = exchange;
    let count = 0;
    let sizeBytes = target.length;
    for (const name in headers) {
      count += 1;
      sizeBytes += name.length + (headers[name]?.length ?? 0) + headerLineOverheadBytes;
    }
    if (count > limits.headerCountMax) return refusedHeadersResponse;
    if (sizeBytes > limits.headerSizeBytesMax) return refusedHeaderSizeResponse;
    const host = headers["host"];
    const ownHost = incoming["host"];
    if (host === undefined || (ownHost !== undefined && ownHost !== host)) {
      return refusedHostResponse;
    }
    if (!isAuthority(host)) return refusedAuthorityResponse;
    if (!target.startsWith("/") && target !== "*") return refusedTargetResponse;
    const { expect } = headers;
    return expect === undefined || expect.toLowerCase() === "100-continue"
      ? undefined
      : refusedExpectResponse;
  }

  /** Counts wasted work. A client that wastes too much gets ENHANCE_YOUR_CALM, and its connection is closed. */
  #waste(connection: Connection, count = 1): void {
    const { session, budget } = connection;
    if (session.destroyed || budget.spend(this.#options.system.monotonicMs(), count)) return;
    calmDown(session);
  }

  #sweepAll(nowMs: number): boolean {
    for (const connection of this.#connections) this.#sweep(connection, nowMs);
    return this.#connections.size > 0;
  }

  /** Holds the times of one connection: idle, receiving a body, and standing still with a response. */
  #sweep(connection: Connection, nowMs: number): void {
    const { limits } = this.#options;
    const { session, exchanges, seen } = connection;
    const lastStreamId = session.destroyed ? undefined : session.state.lastProcStreamID;
    if (lastStreamId !== undefined) {
      const unheardCount = Math.floor((lastStreamId - seen.lastStreamId) / 2) - seen.streamCount;
      seen.lastStreamId = lastStreamId;
      seen.streamCount = 0;
      if (unheardCount > 0) this.#waste(connection, unheardCount);
    }
    if (exchanges.length === 0) {
      if (nowMs - connection.idleSinceMs >= limits.idleTimeoutMs) session.close();
      // One that does not take the GOAWAY either is cut off.
      if (nowMs - connection.idleSinceMs >= limits.idleTimeoutMs + limits.stallTimeoutMs) {
        session.destroy();
      }
      return;
    }
    for (const exchange of exchanges.slice()) {
      if (exchange.isAnswered) {
        exchange.answeredAtMs ??= nowMs;
        if (nowMs - exchange.answeredAtMs >= limits.stallTimeoutMs) exchange.breakOff();
      } else if (!exchange.isReceived && nowMs - exchange.begunAtMs >= limits.receiveTimeoutMs) {
        writeAnswer(exchange, lateResponse, this.#options);
      }
    }
  }
}

/** Bytes of an HTTP/1.1 header line in addition to name and value, so that both versions count alike. */
const headerLineOverheadBytes = 4;
