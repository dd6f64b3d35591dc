import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import { gatewayErrors } from "../errors.ts";
import {
  bindReasonOf,
  Draining,
  httpLimitDefaults,
  type HttpLimits,
  type ProtocolServer,
  type ProtocolServerOptions,
  type TlsMaterial,
  type HttpListener,
  type HttpListenerOptions,
} from "../listening/index.ts";
import { Http1Server } from "./http1-server.ts";
import { Http2Server } from "./http2-server.ts";
import { sniffProtocol } from "./sniff-protocol.ts";

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
  readonly #draining: Draining;

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
    let closed: Promise<void> | undefined;
    this.#draining = new Draining(options.system, {
      begin: () => {
        closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
        this.#http1.stop();
        this.#http2.stop();
        options.upgrades?.stop();
      },
      isBusy: () => [...this.#sockets].some((socket) => !socket.destroyed),
      cut: () => {
        const cutCount = this.#http1.cut() + this.#http2.cut() + (options.upgrades?.cut() ?? 0);
        for (const socket of this.#sockets) socket.destroy();
        return cutCount;
      },
      close: async () => await closed,
    });
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
    return this.#draining.stop(options);
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
    if (this.#draining.isStopping) socket.destroy();
    else (protocol === "h2" ? this.#http2 : this.#http1).accept(socket);
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once("close", () => {
      this.#sockets.delete(socket);
      if (this.#sockets.size === 0) this.#draining.onEnded();
    });
  }
}

/** Connections that wait to be accepted; Node's own default is less than what a busy moment brings. */
const backlogLength = 1024;
