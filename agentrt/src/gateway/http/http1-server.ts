import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { FollowedController } from "../../core/index.ts";
import type { RequestChain } from "../chain/index.ts";
import { createServer } from "../node-http.ts";
import { errorResponse, type GatewayResponse, type StringMap } from "../request.ts";
import type { AccessOutcome } from "../access-log/index.ts";
import type { RequestProtocol, RequestRecord } from "../request-record.ts";
import { Http1Exchange } from "./http1-exchange.ts";
import {
  addOwnHeaders,
  closeGently,
  type HttpLimits,
  isAuthority,
  type ProtocolServer,
  type ProtocolServerOptions,
  refuseUpgrade,
  TurnEnd,
  stoppingResponse,
  writeAnswer,
} from "../listening/index.ts";
import { refuseProtocolFault } from "./protocol-faults.ts";

const pipelineResponse = errorResponse(503, "too many requests at once on this connection");
const refusedHostResponse = errorResponse(400, "request must have one Host header");
const refusedAuthorityResponse = errorResponse(400, "malformed Host header");
const refusedVersionResponse = errorResponse(505, "HTTP version is not supported: send 1.1 or 2");
const refusedCodingResponse = errorResponse(501, "transfer coding is not supported: send chunked");
const refusedConnectResponse = errorResponse(501, "method CONNECT is not supported");
const refusedHeadersResponse = errorResponse(431, "request has too many headers");
const refusedExpectResponse = errorResponse(417, "expectation is not supported");

interface Connection {
  /** Requests in work, few; none when the connection is idle. A Set's old tables would keep dead requests alive. */
  readonly exchanges: Http1Exchange[];
  /** Bytes came that are not HTTP: the connection is closed after the requests in work. */
  isPoisoned: boolean;
  /** Aborted when the connection has ended: the signal of all its requests. */
  readonly ended: FollowedController;
}

/** Speaks HTTP/1.1 on connections that a listener has accepted. */
export class Http1Server implements ProtocolServer {
  readonly #options: ProtocolServerOptions;
  readonly #limits: HttpLimits;
  readonly #chain: RequestChain;
  readonly #server: Server;
  readonly #turnEnd: TurnEnd;
  readonly #connections = new Map<Socket, Connection>();
  /** Each response is the last of its connection. */
  #isLeaving = false;
  #isRefusing = false;
  #isWatching = false;
  /** The last `Host` that was looked at and found well: nearly every request names the same. */
  #knownHost: string | undefined;

  constructor(options: ProtocolServerOptions) {
    this.#options = options;
    this.#chain = options.chain;
    this.#turnEnd = new TurnEnd(options.system);
    const { limits } = options;
    this.#limits = limits;
    this.#server = createServer({
      maxHeaderSize: limits.headerSizeBytesMax,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.receiveTimeoutMs,
      keepAliveTimeout: limits.idleTimeoutMs,
      connectionsCheckingInterval: limits.checkIntervalMs,
      insecureHTTPParser: false,
      requireHostHeader: false, // Looked at in `#refuse`, so that the refusal is JSON as all others.
      noDelay: true,
      // Node keeps the first `authorization` alone otherwise; a proxy may have looked at the other. Joined, it is none.
      joinDuplicateHeaders: true,
      // What nobody takes is served as the plain request it is as well (RFC 9110 section 7.8).
      shouldUpgradeCallback: (message) => options.upgrades?.wants(message) ?? false,
    });
    const server = this.#server;
    // One more than we serve, so that a request with too many is seen and refused, not silently shortened.
    server.maxHeadersCount = limits.headerCountMax + 1;
    server.timeout = limits.stallTimeoutMs;
    server.on("request", (message, response) => this.#onRequest(message, response));
    server.on("checkContinue", (message, response) =>
      this.#onRequest(message, response, { isContinueOwed: true }),
    );
    server.on("checkExpectation", (message, response) =>
      this.#onRequest(message, response, { refusal: refusedExpectResponse }),
    );
    server.on("upgrade", (message, socket, head) =>
      this.#onUpgrade(message, socket as Socket, head),
    );
    server.on("connect", (message, socket) =>
      this.#refuseUpgrade(message, socket as Socket, refusedConnectResponse),
    );
    server.on("clientError", (error: NodeJS.ErrnoException, socket) =>
      this.#onFault(error.code, socket as Socket),
    );
  }

  accept(socket: Socket): void {
    if (!this.#isWatching) {
      // It never listens itself; this starts its look at header and request times.
      this.#isWatching = true;
      this.#server.emit("listening");
    }
    const ended = new FollowedController();
    // Keeps the signal's table of listeners as it is while calls come and go: see `Connection.exchanges`.
    ended.signal.addEventListener("abort", () => undefined);
    this.#connections.set(socket, { exchanges: [], isPoisoned: false, ended });
    // Node calls it behind a response that is the last of its connection.
    socket.destroySoon = () => this.#hangUp(socket);
    socket.once("close", () => {
      ended.abort();
      this.#connections.delete(socket);
    });
    this.#server.emit("connection", socket);
  }

  announce(): void {
    this.#isLeaving = true;
  }

  refuse(): void {
    this.#isLeaving = true;
    this.#isRefusing = true;
  }

  get workCount(): number {
    let count = 0;
    for (const { exchanges } of this.#connections.values()) count += exchanges.length;
    return count;
  }

  endWork(): void {
    for (const { exchanges, ended } of this.#connections.values()) {
      if (exchanges.some((exchange) => exchange.isBegun)) continue;
      for (const exchange of exchanges) this.#respond(exchange, stoppingResponse, { isLast: true });
      ended.abort();
    }
  }

  hangUp(): void {
    for (const [socket, { exchanges }] of this.#connections) {
      if (exchanges.length === 0) this.#hangUp(socket);
    }
  }

  /** Closes a connection behind the last answer; what still comes on it is not answered. */
  #hangUp(socket: Socket): void {
    this.#connections.delete(socket);
    closeGently(socket, this.#options.system);
  }

  cut(): void {
    for (const [socket, { ended }] of this.#connections) {
      ended.abort();
      socket.destroy();
    }
    // Ends the look at header and request times; that it never listened is no news.
    this.#server.close(() => undefined);
  }

  #onRequest(
    message: IncomingMessage,
    response: ServerResponse,
    how: { readonly isContinueOwed?: boolean; readonly refusal?: GatewayResponse } = {},
  ): void {
    const { socket } = message;
    const connection = this.#connections.get(socket);
    if (connection === undefined) return; // Closed while the request was on its way here.
    const exchange = new Http1Exchange(message, response, {
      isContinueOwed: how.isContinueOwed ?? false,
      signal: connection.ended.signal,
      discardSizeBytesMax: this.#limits.discardSizeBytesMax,
      turnEnd: this.#turnEnd,
    });
    exchange.record = this.#options.edge.open(exchange);
    connection.exchanges.push(exchange);
    response.on("close", () => {
      if (connection.exchanges.at(-1) === exchange) connection.exchanges.pop();
      else connection.exchanges.splice(connection.exchanges.indexOf(exchange), 1);
      const isLast = connection.isPoisoned || this.#isRefusing;
      if (isLast && connection.exchanges.length === 0) this.#hangUp(socket);
      this.#options.onEnded();
    });
    const refusal =
      how.refusal ?? this.#refuse(message, { inWorkCount: connection.exchanges.length });
    if (refusal !== undefined) {
      this.#respond(exchange, refusal, { isLast: true });
      return;
    }
    void this.#chain(exchange).then((answer) =>
      this.#respond(exchange, answer, { isLast: this.#isLeaving }),
    );
  }

  /** The connection is no longer HTTP's, unless the request breaks its rules. */
  #onUpgrade(message: IncomingMessage, socket: Socket, head: Buffer): void {
    const connection = this.#connections.get(socket);
    const { upgrades, onEnded } = this.#options;
    // Behind a request in work nobody may write yet: who asks for another protocol waits for the response.
    if (connection === undefined || upgrades === undefined || connection.exchanges.length > 0) {
      socket.destroy();
      return;
    }
    const refusal = this.#refuse(message, { inWorkCount: 0 });
    this.#connections.delete(socket);
    socket.setTimeout(0);
    if (refusal !== undefined) {
      this.#refuseUpgrade(message, socket, refusal);
      return;
    }
    const record = this.#open(message, socket, "WebSocket");
    const responseHeaders = this.#headersOf(record);
    const conclude = (outcome: AccessOutcome): void => this.#options.edge.close(record, outcome);
    upgrades.accept(message, socket, { head, record, conclude, responseHeaders, onEnded });
  }

  #refuseUpgrade(message: IncomingMessage, socket: Socket, refusal: GatewayResponse): void {
    const record = this.#open(message, socket, "HTTP/1.1");
    refuseUpgrade(socket, refusal, this.#headersOf(record));
    this.#options.edge.close(record, { status: refusal.status, sizeBytes: 0 });
  }

  #open(
    { method = "", url: target = "", headers }: Partial<IncomingMessage>,
    socket: Socket,
    protocol: RequestProtocol,
  ): RequestRecord {
    return this.#options.edge.open({
      protocol,
      method,
      target,
      headers: headers as StringMap,
      clientIp: socket.remoteAddress ?? "",
    });
  }

  #headersOf(record: RequestRecord): StringMap {
    const { responseHeaders, edge } = this.#options;
    const headers: { [name: string]: string } = { ...responseHeaders };
    addOwnHeaders(headers, edge.headersOf(record));
    return headers;
  }

  /** What can be refused before anybody looks at the request; `undefined` for nothing. */
  #refuse(
    message: IncomingMessage,
    now: { readonly inWorkCount: number },
  ): GatewayResponse | undefined {
    if (this.#isRefusing) return stoppingResponse;
    const { httpVersion, headers } = message;
    if (httpVersion !== "1.1" && httpVersion !== "1.0") return refusedVersionResponse;
    // One whose last coding is another has no end: Node's parser refuses it.
    const coding = headers["transfer-encoding"];
    if (coding !== undefined && /,\s*chunked$/i.test(coding)) return refusedCodingResponse;
    if (now.inWorkCount > this.#limits.pipelinedCountMax) return pipelineResponse;
    const names = message.rawHeaders;
    if (names.length > 2 * this.#limits.headerCountMax) return refusedHeadersResponse;
    // Node has joined several by a comma and a space, which no authority has: one that is known came alone.
    if (headers.host !== undefined && headers.host === this.#knownHost) return undefined;
    let hostCount = 0;
    for (let index = 0; index < names.length; index += 2) {
      const name = names[index];
      if (name?.length === 4 && name.toLowerCase() === "host") hostCount += 1;
    }
    if (hostCount > 1 || (hostCount === 0 && httpVersion !== "1.0")) return refusedHostResponse;
    if (!isAuthority(headers.host ?? "")) return refusedAuthorityResponse;
    this.#knownHost = headers.host;
    return undefined;
  }

  #respond(
    exchange: Http1Exchange,
    answer: GatewayResponse,
    { isLast }: { readonly isLast: boolean },
  ): void {
    exchange.isLast = isLast;
    writeAnswer(exchange, answer, this.#options);
  }

  #onFault(code: string | undefined, socket: Socket): void {
    const connection = this.#connections.get(socket);
    const inWork = connection?.exchanges ?? [];
    if (connection !== undefined && inWork.some((exchange) => exchange.isReceived)) {
      // Whole requests came before the fault: they get their responses, and nothing is written in front of those.
      connection.isPoisoned = true;
      return;
    }
    connection?.ended.abort();
    if (inWork.some((exchange) => exchange.isBegun)) socket.destroy();
    else {
      const record = this.#open({ headers: {} }, socket, "HTTP/1.1");
      const status = refuseProtocolFault(socket, { code, headers: this.#headersOf(record) });
      if (status !== undefined) this.#options.edge.close(record, { status, sizeBytes: 0 });
    }
  }
}
