import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { System } from "../../core/system.ts";
import { gatewayErrors } from "../errors.ts";
import type { Gateway } from "../gateway.ts";
import type { GatewayLog } from "../ports.ts";
import { errorResponse, type GatewayResponse } from "../request.ts";
import { HttpExchange } from "./exchange.ts";
import { httpLimitDefaults, type HttpLimits } from "./limits.ts";
import { refuseProtocolFault } from "./protocol-faults.ts";

/** What an HTTP/1.1 listener needs. */
export interface HttpListenerOptions {
  /** Name of the node, for error messages. */
  readonly node: string;
  /** Address or name to bind. */
  readonly host: string;
  /** TCP port, 0 to 65 535; 0 lets the system choose. */
  readonly port: number;
  /** Answers each request. */
  readonly gateway: Gateway;
  readonly system: System;
  readonly log: GatewayLog;
  readonly limits?: Partial<HttpLimits>;
}

/** An HTTP/1.1 server that can be stopped without breaking a request in work. */
export interface HttpListener {
  /**
   * Binds and begins to serve.
   *
   * @returns The bound port.
   * @throws AGENTRT_GATEWAY_BIND_FAILED when the address cannot be had.
   */
  start(): Promise<{ readonly port: number }>;
  /**
   * Stops: the port is closed, idle connections are closed, requests in work are finished; a new request on an open
   * connection gets 503. After `timeoutMs` what is left is cancelled and closed. A second stop waits with the first.
   *
   * @param options.timeoutMs Time for the requests in work, milliseconds.
   * @returns How many requests were cut off.
   */
  stop(options: { readonly timeoutMs: number }): Promise<{ readonly cutCount: number }>;
}

const stoppingResponse = errorResponse(503, "gateway is stopping", { "retry-after": "1" });
const pipelineResponse = errorResponse(503, "too many requests at once on this connection");
const refusedHostResponse = errorResponse(400, "request must have one Host header");
const refusedHeadersResponse = errorResponse(431, "request has too many headers");
const refusedExpectResponse = errorResponse(417, "expectation is not supported");

/**
 * Makes an HTTP/1.1 listener; nothing is opened before `start`.
 *
 * @param options Where to bind, what answers, and the limits.
 * @returns The listener.
 */
export function createHttpListener(options: HttpListenerOptions): HttpListener {
  return new Listener(options);
}

interface Connection {
  /** Requests in work, few; none when the connection is idle. A Set's old tables would keep dead requests alive. */
  readonly exchanges: HttpExchange[];
  /** Bytes came that are no HTTP: the connection is closed after the requests in work. */
  isPoisoned: boolean;
  /** Aborted when the connection has ended: the signal of all its requests. */
  readonly ended: AbortController;
}

class Listener implements HttpListener {
  readonly #options: HttpListenerOptions;
  readonly #limits: HttpLimits;
  readonly #server: Server;
  readonly #connections = new Map<Duplex, Connection>();
  #stopped: Promise<{ readonly cutCount: number }> | undefined;
  #onDrained: (() => void) | undefined;

  constructor(options: HttpListenerOptions) {
    this.#options = options;
    this.#limits = { ...httpLimitDefaults, ...options.limits };
    const limits = this.#limits;
    this.#server = createServer({
      maxHeaderSize: limits.headerSizeBytesMax,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.receiveTimeoutMs,
      keepAliveTimeout: limits.idleTimeoutMs,
      connectionsCheckingInterval: limits.checkIntervalMs,
      insecureHTTPParser: false,
      requireHostHeader: false, // Looked at in `#refuse`, so that the refusal is JSON as all others.
      noDelay: true,
    });
    const server = this.#server;
    server.maxConnections = limits.connectionCountMax;
    // One more than we serve, so that a request with too many is seen and refused, not silently shortened.
    server.maxHeadersCount = limits.headerCountMax + 1;
    server.timeout = limits.stallTimeoutMs;
    server.on("connection", (socket: Socket) => this.#onConnection(socket));
    server.on("request", (message, response) => this.#onRequest(message, response));
    server.on("checkContinue", (message, response) =>
      this.#onRequest(message, response, { isContinueOwed: true }),
    );
    server.on("checkExpectation", (message, response) =>
      this.#onRequest(message, response, { refusal: refusedExpectResponse }),
    );
    server.on("clientError", (error: NodeJS.ErrnoException, socket) =>
      this.#onFault(error.code, socket),
    );
  }

  start(): Promise<{ readonly port: number }> {
    const { node, host, port } = this.#options;
    return new Promise((resolve, reject) => {
      this.#server.on("error", (error: NodeJS.ErrnoException) => {
        if (this.#server.listening) {
          // A connection that could not be accepted, for want of file handles perhaps: the others go on.
          this.#options.log.error("A connection could not be accepted", { node, error });
          return;
        }
        const reason = bindReasons[error.code ?? ""] ?? error.message;
        reject(new gatewayErrors.BIND_FAILED({ node, host, port, reason }, { cause: error }));
      });
      this.#server.listen({ host, port }, () => {
        const address = this.#server.address();
        resolve({ port: typeof address === "object" && address !== null ? address.port : port });
      });
    });
  }

  stop(options: { readonly timeoutMs: number }): Promise<{ readonly cutCount: number }> {
    this.#stopped ??= this.#drain(options.timeoutMs);
    return this.#stopped;
  }

  async #drain(timeoutMs: number): Promise<{ readonly cutCount: number }> {
    const { system } = this.#options;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const [socket, { exchanges }] of this.#connections) {
      if (exchanges.length > 0) continue;
      this.#connections.delete(socket);
      socket.destroy();
    }
    let cutCount = 0;
    if (this.#connections.size > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#onDrained = resolve;
      const timer = system.setTimer(timeoutMs, resolve);
      await promise;
      system.clearTimer(timer);
    }
    for (const [socket, { exchanges, ended }] of this.#connections) {
      cutCount += exchanges.length;
      ended.abort();
      socket.destroy();
    }
    await closed;
    return { cutCount };
  }

  #onConnection(socket: Socket): void {
    const ended = new AbortController();
    // Keeps the signal's table of listeners as it is while calls come and go: see `Connection.exchanges`.
    ended.signal.addEventListener("abort", () => undefined);
    this.#connections.set(socket, { exchanges: [], isPoisoned: false, ended });
    socket.once("close", () => {
      ended.abort();
      this.#connections.delete(socket);
      if (this.#connections.size === 0) this.#onDrained?.();
    });
  }

  #onRequest(
    message: IncomingMessage,
    response: ServerResponse,
    how: { readonly isContinueOwed?: boolean; readonly refusal?: GatewayResponse } = {},
  ): void {
    const { socket } = message;
    const connection = this.#connections.get(socket);
    if (connection === undefined) return; // Closed while the request was on its way here.
    const exchange = new HttpExchange(message, response, {
      isContinueOwed: how.isContinueOwed ?? false,
      signal: connection.ended.signal,
    });
    connection.exchanges.push(exchange);
    response.on("close", () => {
      connection.exchanges.splice(connection.exchanges.indexOf(exchange), 1);
      const isLast = connection.isPoisoned || this.#stopped !== undefined;
      if (isLast && connection.exchanges.length === 0) socket.destroy();
    });
    const refusal =
      how.refusal ?? this.#refuse(message, { inWorkCount: connection.exchanges.length });
    if (refusal !== undefined) {
      this.#respond(exchange, refusal, { isLast: true });
      return;
    }
    this.#options.gateway(exchange).then(
      (answer) => this.#respond(exchange, answer, { isLast: this.#stopped !== undefined }),
      (error: unknown) => this.#fail(exchange, error),
    );
  }

  /** What can be refused before anybody looks at the request; `undefined` for nothing. */
  #refuse(
    message: IncomingMessage,
    now: { readonly inWorkCount: number },
  ): GatewayResponse | undefined {
    if (this.#stopped !== undefined) return stoppingResponse;
    if (now.inWorkCount > this.#limits.pipelinedCountMax) return pipelineResponse;
    const names = message.rawHeaders;
    if (names.length > 2 * this.#limits.headerCountMax) return refusedHeadersResponse;
    let hostCount = 0;
    for (let index = 0; index < names.length; index += 2) {
      const name = names[index];
      if (name?.length === 4 && name.toLowerCase() === "host") hostCount += 1;
    }
    const isHostOptional = message.httpVersion === "1.0";
    return hostCount === 1 || (hostCount === 0 && isHostOptional) ? undefined : refusedHostResponse;
  }

  #respond(
    exchange: HttpExchange,
    answer: GatewayResponse,
    options: { readonly isLast: boolean },
  ): void {
    try {
      const text = answer.body === undefined ? "" : JSON.stringify(answer.body);
      const { discardSizeBytesMax } = this.#limits;
      exchange.respond(answer, text, { isLast: options.isLast, discardSizeBytesMax });
    } catch (error) {
      this.#fail(exchange, error);
    }
  }

  /** A response that cannot be written: the client gets a plain 500. */
  #fail(exchange: HttpExchange, error: unknown): void {
    this.#options.log.error("A response could not be written", {
      node: this.#options.node,
      error,
    });
    const { discardSizeBytesMax } = this.#limits;
    const answer = errorResponse(500, "internal error");
    exchange.respond(answer, JSON.stringify(answer.body), { isLast: true, discardSizeBytesMax });
  }

  #onFault(code: string | undefined, socket: Duplex): void {
    const connection = this.#connections.get(socket);
    const inWork = connection?.exchanges ?? [];
    if (connection !== undefined && inWork.some((exchange) => exchange.isReceived)) {
      // Whole requests came before the fault: they get their responses, and nothing is written in front of those.
      connection.isPoisoned = true;
      return;
    }
    connection?.ended.abort();
    if (inWork.some((exchange) => exchange.isAnswered)) socket.destroy();
    else refuseProtocolFault(socket, code);
  }
}

const bindReasons: { readonly [code: string]: string } = {
  EADDRINUSE: "another program listens there",
  EACCES: "this user may not open that port",
  EADDRNOTAVAIL: "this machine has no such address",
  ENOTFOUND: "the host name is unknown",
};
