import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, Server as TlsServer, type TLSSocket } from "node:tls";
import { createEdge } from "../edge/index.ts";
import { gatewayErrors } from "../errors.ts";
import {
  bindReasonOf,
  certificateRefusal,
  closeGently,
  type Drained,
  Draining,
  type DrainingSteps,
  httpLimitDefaults,
  type HttpLimits,
  type ProtocolServer,
  type ProtocolServerOptions,
  type TlsMaterial,
  watchCertificates,
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
  /** Those that have not said anything yet. */
  readonly #silent = new Set<Socket>();
  #acceptedCount = 0;
  readonly #draining: Draining;

  constructor(options: HttpListenerOptions) {
    this.#options = options;
    this.#limits = { ...httpLimitDefaults, ...options.limits };
    const shared: ProtocolServerOptions = {
      ...options,
      edge: options.edge ?? createEdge({ system: options.system }),
      onEnded: () => this.#draining.onEnded(),
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
    this.#draining = new Draining(options.system, this.#drainingSteps(shared));
  }

  #drainingSteps({ upgrades }: ProtocolServerOptions): DrainingSteps {
    let closed: Promise<void> | undefined;
    const servers = [this.#http1, this.#http2];
    return {
      acceptedCount: () => this.#acceptedCount,
      announce: () => {
        for (const server of servers) server.announce();
      },
      closePort: () => {
        closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
      },
      refuse: () => {
        for (const server of servers) server.refuse();
        upgrades?.refuse();
      },
      workCount: () => this.#http1.workCount + this.#http2.workCount + (upgrades?.workCount ?? 0),
      endWork: () => {
        for (const server of servers) server.endWork();
        upgrades?.endWork();
      },
      hangUp: () => {
        for (const server of servers) server.hangUp();
        for (const socket of this.#silent) closeGently(socket, this.#options.system);
      },
      isOpen: () => this.#sockets.size > 0,
      cut: () => {
        for (const server of servers) server.cut();
        upgrades?.cut();
        for (const socket of this.#sockets) socket.destroy();
      },
      closed: async () => await closed,
    };
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

  /** See `HttpListener.useTls`. */
  useTls(tls: TlsMaterial): void {
    if (this.#server instanceof TlsServer) this.#server.setSecureContext(tls.context);
  }

  announce(): void {
    this.#draining.announce();
  }

  close(): Promise<void> {
    return this.#draining.close();
  }

  leavePort(): Promise<void> {
    return this.#draining.leavePort();
  }

  end(): Promise<Drained> {
    return this.#draining.end();
  }

  stop(options: { readonly timeoutMs: number }): Promise<Drained> {
    return this.#draining.stop(options);
  }

  #clearTextServer(): Server {
    return createTcpServer({ noDelay: true }, (socket) => {
      socket.on("error", () => undefined); // Until a protocol takes it over; `close` follows.
      this.#silent.add(socket);
      socket.once("close", () => this.#silent.delete(socket));
      sniffProtocol(socket, { timeoutMs: this.#limits.headersTimeoutMs }, (protocol) => {
        this.#silent.delete(socket);
        this.#accept(socket, protocol);
      });
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
        this.#noteRefused({ client: socket.remoteAddress ?? "", reason: "foreign certificate" });
        socket.destroy();
        return;
      }
      this.#accept(socket, socket.alpnProtocol === "h2" ? "h2" : "http/1.1");
    });
    // No TLS, or none that fits: Node closes it.
    server.on("tlsClientError", () => undefined);
    if (isAsked) watchCertificates(server, (refused) => this.#noteRefused(refused));
    return server;
  }

  #noteRefused(refused: { readonly client: string; readonly reason: string }): void {
    this.#options.onRefusal?.(certificateRefusal("http", refused));
  }

  #accept(socket: Socket, protocol: "h2" | "http/1.1"): void {
    (protocol === "h2" ? this.#http2 : this.#http1).accept(socket);
  }

  #track(socket: Socket): void {
    this.#acceptedCount += 1;
    this.#sockets.add(socket);
    socket.once("close", () => {
      this.#sockets.delete(socket);
      if (this.#sockets.size === 0) this.#draining.onEnded();
    });
  }
}

/** Connections that wait to be accepted; Node's own default is less than what a busy moment brings. */
const backlogLength = 1024;
