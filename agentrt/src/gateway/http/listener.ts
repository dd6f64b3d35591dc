import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import type { System } from "../../core/ports/system.ts";
import { gatewayErrors } from "../errors.ts";
import type { RequestChain } from "../chain/request-chain.ts";
import type { GatewayLog } from "../ports.ts";
import type { StringMap } from "../request.ts";
import { bindReasonOf } from "../listening/bind-reason.ts";
import { Http1Server } from "./http1-server.ts";
import { Http2Server } from "./http2-server.ts";
import { httpLimitDefaults, type HttpLimits } from "../listening/http-limits.ts";
import type { ProtocolServer, ProtocolServerOptions } from "../listening/protocol-server.ts";
import { sniffProtocol } from "./sniff-protocol.ts";
import type { TlsMaterial } from "../listening/tls-material.ts";
import type { UpgradeServer } from "../listening/upgrade-server.ts";

/** What a listener for HTTP/1.1 and HTTP/2 needs. */
export interface HttpListenerOptions {
  /** Name of the node, for error messages. */
  readonly node: string;
  /** Address or name to bind. */
  readonly host: string;
  /** TCP port, 0 to 65 535; 0 lets the system choose. */
  readonly port: number;
  /** Answers each request. */
  readonly chain: RequestChain;
  readonly system: System;
  readonly log: GatewayLog;
  /** Certificate and key; without them the port speaks clear text. */
  readonly tls?: TlsMaterial | undefined;
  readonly limits?: Partial<HttpLimits>;
  /** Sent with every response; lower-case names. */
  readonly responseHeaders?: StringMap | undefined;
  /** Takes connections that change the protocol: WebSocket. Default nobody. */
  readonly upgrades?: UpgradeServer | undefined;
}

/** A server for HTTP/1.1 and HTTP/2 on one port that can be stopped without breaking a request in work. */
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
   * connection gets 503, or is refused by HTTP/2's GOAWAY. After `timeoutMs` what is left is cancelled and closed. A
   * second stop waits with the first.
   *
   * @param options.timeoutMs Time for the requests in work, milliseconds.
   * @returns How many requests were cut off.
   */
  stop(options: { readonly timeoutMs: number }): Promise<{ readonly cutCount: number }>;
}

/**
 * Makes a listener; nothing is opened before `start`. With TLS the client chooses the version by ALPN, in clear text by
 * the first bytes it sends.
 *
 * @param options Where to bind, what answers, and the limits.
 * @returns The listener.
 */
export function createHttpListener(options: HttpListenerOptions): HttpListener {
  return new Listener(options);
}

class Listener implements HttpListener {
  readonly #options: HttpListenerOptions;
  readonly #limits: HttpLimits;
  readonly #server: Server;
  readonly #http1: ProtocolServer;
  readonly #http2: ProtocolServer;
  readonly #sockets = new Set<Socket>();
  #stopped: Promise<{ readonly cutCount: number }> | undefined;
  #onDrained: (() => void) | undefined;

  constructor(options: HttpListenerOptions) {
    this.#options = options;
    this.#limits = { ...httpLimitDefaults, ...options.limits };
    const shared: ProtocolServerOptions = {
      ...options,
      limits: this.#limits,
      responseHeaders: options.responseHeaders,
      upgrades: options.upgrades,
    };
    this.#http1 = new Http1Server(shared);
    this.#http2 = new Http2Server(shared);
    this.#server =
      options.tls === undefined ? this.#clearTextServer() : this.#tlsServer(options.tls);
    this.#server.maxConnections = this.#limits.connectionCountMax;
    this.#server.on("connection", (socket: Socket) => this.#track(socket));
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
        const reason = bindReasonOf(error);
        reject(new gatewayErrors.BIND_FAILED({ node, host, port, reason }, { cause: error }));
      });
      this.#server.listen({ host, port, backlog: backlogLength }, () => {
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
    this.#http1.stop();
    this.#http2.stop();
    this.#options.upgrades?.stop();
    const isLeft = [...this.#sockets].some((socket) => !socket.destroyed);
    if (isLeft) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#onDrained = resolve;
      const timer = system.setTimer(timeoutMs, resolve);
      await promise;
      system.clearTimer(timer);
    }
    const cutCount = this.#http1.cut() + this.#http2.cut() + (this.#options.upgrades?.cut() ?? 0);
    for (const socket of this.#sockets) socket.destroy();
    await closed;
    return { cutCount };
  }

  #clearTextServer(): Server {
    return createTcpServer({ noDelay: true }, (socket) => {
      socket.on("error", () => undefined); // Until a protocol takes it over; `close` follows.
      sniffProtocol(socket, { timeoutMs: this.#limits.headersTimeoutMs }, (protocol) =>
        this.#accept(socket, protocol),
      );
    });
  }

  #tlsServer(tls: TlsMaterial): Server {
    const isAsked = tls.clientCertMode !== "none";
    const server = createTlsServer({
      ...tls.context,
      ALPNProtocols: ["h2", "http/1.1"],
      handshakeTimeout: this.#limits.headersTimeoutMs,
      requestCert: isAsked,
      rejectUnauthorized: tls.clientCertMode === "required",
      noDelay: true,
    });
    server.on("secureConnection", (socket: TLSSocket) => {
      socket.on("error", () => undefined);
      // An optional certificate may be missing; one of another authority is refused.
      if (isAsked && !socket.authorized && socket.getPeerX509Certificate() !== undefined) {
        socket.destroy();
        return;
      }
      this.#accept(socket, socket.alpnProtocol === "h2" ? "h2" : "http/1.1");
    });
    server.on("tlsClientError", () => undefined); // No TLS, or none that fits: Node closes it.
    return server;
  }

  #accept(socket: Socket, protocol: "h2" | "http/1.1"): void {
    if (this.#stopped !== undefined) socket.destroy();
    else (protocol === "h2" ? this.#http2 : this.#http1).accept(socket);
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once("close", () => {
      this.#sockets.delete(socket);
      if (this.#sockets.size === 0) this.#onDrained?.();
    });
  }
}

/** Connections that wait to be accepted; Node's own default is less than what a busy moment brings. */
const backlogLength = 1024;
