import {
  createSecureServer,
  createServer,
  type Http2SecureServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { OutgoingHttpHeaders } from "node:http";
import { Server as TcpServer, type Socket } from "node:net";
import { Server as TlsServer } from "node:tls";
import type { System } from "../../core/index.ts";
import { Deadline } from "../chain/index.ts";
import { gatewayErrors } from "../errors.ts";
import {
  addOwnHeaders,
  bindReasonOf,
  certificateRefusal,
  type Drained,
  Draining,
  Sweeper,
  TurnEnd,
  calmDown,
  FrameBudget,
  isTakenBack,
  nameFloods,
  type OnRefusal,
  joinRepeatedAuthorization,
  type TlsMaterial,
  watchCertificates,
} from "../listening/index.ts";
import type { GatewayLog } from "../ports.ts";
import type { Edge } from "../edge/index.ts";
import { GrpcCall } from "./call.ts";
import { acceptedEncodings } from "./compression.ts";
import { type GuardedCallOptions, headersOf, serveGuarded } from "./guarded-call.ts";
import { grpcLimitDefaults, type GrpcLimits } from "./limits.ts";
import type { GrpcMethods } from "./service.ts";
import { grpcCodes, GrpcFault, type GrpcStatus, readTimeout } from "./status.ts";
import { WireFault } from "./wire-reader.ts";

/** What gRPC is served with. */
export interface GrpcServerOptions extends Omit<GuardedCallOptions, "deadline"> {
  readonly system: System;
  /** Longest that middleware and what it wraps may take until an answer begins, milliseconds. */
  readonly requestTimeoutMs: number;
  /** Name of the gateway's node. */
  readonly node: string;
  readonly host: string;
  /** TCP port, 0 to 65 535; 0 lets the system choose. */
  readonly port: number;
  readonly tls: TlsMaterial | undefined;
  readonly methods: GrpcMethods;
  readonly log: GatewayLog;
  /** What every call passes. */
  readonly edge: Edge;
  readonly limits?: Partial<GrpcLimits> | undefined;
  /** Hears of each client whose certificate is refused. Default nobody. */
  readonly onRefusal?: OnRefusal | undefined;
}

const acceptedEncodingSet: ReadonlySet<unknown> = new Set(acceptedEncodings.split(","));
const lastResortFactor = 10;
/** The bus ends a call after the same time, and says why, for example that the mailbox is full: its answer goes first. */
const answerTimeMs = 100;

interface Connection {
  readonly session: ServerHttp2Session;
  readonly calls: Set<GrpcCall>;
  readonly budget: FrameBudget;
  /** Address of the peer, asked for once: the socket of a session answers by way of a proxy object. */
  readonly peerIp: string;
  idleSinceMs: number;
}

const unavailable: GrpcStatus = { code: grpcCodes.unavailable, message: "gateway is stopping" };
const cut: GrpcStatus = { code: grpcCodes.unavailable, message: "gateway has stopped" };
const internal: GrpcStatus = { code: grpcCodes.internal, message: "internal error" };
const ok: GrpcStatus = { code: grpcCodes.ok, message: "" };

/** Speaks gRPC on its own port. */
export class GrpcServer {
  readonly #options: GrpcServerOptions & GuardedCallOptions;
  readonly #limits: GrpcLimits;
  readonly #server: Http2Server;
  readonly #sockets = new Set<Socket>();
  #acceptedCount = 0;
  readonly #connections = new Set<Connection>();
  readonly #sweeper: Sweeper;
  readonly #turnEnd: TurnEnd;
  readonly #draining: Draining;

  constructor(options: GrpcServerOptions) {
    const { system, requestTimeoutMs } = options;
    this.#options = { ...options, deadline: new Deadline(system, requestTimeoutMs + answerTimeMs) };
    this.#turnEnd = new TurnEnd(options.system);
    this.#limits = { ...grpcLimitDefaults, ...options.limits };
    const limits = this.#limits;
    const settings = {
      maxSessionMemory: limits.sessionMemoryMegabytesMax,
      // Counted in `#waste`, which says ENHANCE_YOUR_CALM; nghttp2 would say INTERNAL_ERROR, and is the last resort.
      streamResetBurst: lastResortFactor * limits.wastedFrameCountMax,
      streamResetRate: lastResortFactor * limits.wastedFramesForgivenPerSecond,
      maxSessionInvalidFrames: limits.wastedFrameCountMax,
      settings: {
        maxConcurrentStreams: limits.concurrentCallCountMax,
        maxHeaderListSize: limits.metadataSizeBytesMax,
        enableConnectProtocol: false,
      },
    };
    const { tls } = options;
    this.#server =
      tls === undefined
        ? createServer(settings)
        : createSecureServer({
            ...settings,
            ...tls.context,
            allowHTTP1: false,
            handshakeTimeout: limits.handshakeTimeoutMs,
            requestCert: tls.clientCertMode === "required",
            rejectUnauthorized: tls.clientCertMode === "required",
          });
    this.#server.maxConnections = limits.connectionCountMax;
    this.#server.on("connection", (socket: Socket) => this.#track(socket));
    this.#server.on("session", (session) => this.#onSession(session));
    this.#server.on("sessionError", () => undefined);
    this.#server.on("tlsClientError", () => undefined);
    if (tls?.clientCertMode === "required")
      watchCertificates(this.#server as Http2SecureServer, (refused) =>
        options.onRefusal?.(certificateRefusal("grpc", refused)),
      );
    this.#sweeper = new Sweeper({
      system: options.system,
      intervalMs: limits.checkIntervalMs,
      sweep: (nowMs) => this.#sweep(nowMs),
    });
    this.#draining = this.#createDraining();
  }

  #createDraining(): Draining {
    let closed: Promise<void> | undefined;
    const sayGoAway = (): void => {
      for (const { session } of this.#connections) session.close();
    };
    return new Draining(this.#options.system, {
      acceptedCount: () => this.#acceptedCount,
      // Node ignores whatever comes behind a GOAWAY, even what was sent before it.
      announce: () => undefined,
      closePort: () => {
        // That of HTTP/2 would say GOAWAY at once, and calls on their way here would be lost.
        const closeAlone = TcpServer.prototype.close.bind(this.#server);
        closed = new Promise<void>((resolve) => closeAlone(() => resolve()));
      },
      refuse: sayGoAway,
      workCount: () => this.#callCount(),
      endWork: () => {
        for (const { calls } of this.#connections) for (const call of calls) call.finish(cut);
      },
      hangUp: sayGoAway,
      isOpen: () => this.#sockets.size > 0,
      cut: () => this.#cutAll(),
      closed: async () => await closed,
    });
  }

  /** See `HttpListener.useTls`. */
  useTls(tls: TlsMaterial): void {
    const server: unknown = this.#server;
    if (server instanceof TlsServer) server.setSecureContext(tls.context);
  }

  /**
   * Binds and begins to serve.
   *
   * @returns The bound port.
   * @throws AGENTRT_GATEWAY_BIND_FAILED when the address cannot be had.
   */
  start(): Promise<{ readonly port: number }> {
    const { node, host, port, log } = this.#options;
    return new Promise((resolve, reject) => {
      this.#server.on("error", (error: NodeJS.ErrnoException) => {
        if (this.#server.listening) {
          log.error("A gRPC connection could not be accepted", { node, error });
          return;
        }
        const reason = bindReasonOf(error);
        reject(new gatewayErrors.BIND_FAILED({ node, host, port, reason }, { cause: error }));
      });
      this.#server.listen(port, host, () => {
        const address = this.#server.address();
        resolve({ port: typeof address === "object" && address !== null ? address.port : port });
      });
    });
  }

  /** See `HttpListener.announce`. */
  announce(): void {
    this.#draining.announce();
  }

  /** See `HttpListener.close`: calls that were sent before are served, later ones are refused by GOAWAY. */
  close(): Promise<void> {
    return this.#draining.close();
  }

  /** See `HttpListener.leavePort`. */
  leavePort(): Promise<void> {
    return this.#draining.leavePort();
  }

  /** See `HttpListener.end`: calls in work get UNAVAILABLE. */
  end(): Promise<Drained> {
    return this.#draining.end();
  }

  /** See `HttpListener.stop`. */
  stop(options: { readonly timeoutMs: number }): Promise<Drained> {
    return this.#draining.stop(options);
  }

  #cutAll(): void {
    for (const { session } of this.#connections) session.destroy();
    for (const socket of this.#sockets) socket.destroy();
    this.#sweeper.stop();
  }

  #callCount(): number {
    let count = 0;
    for (const { calls } of this.#connections) count += calls.size;
    return count;
  }

  #track(socket: Socket): void {
    this.#acceptedCount += 1;
    this.#sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => {
      this.#sockets.delete(socket);
      if (this.#sockets.size === 0) this.#draining.onEnded();
    });
  }

  #onSession(session: ServerHttp2Session): void {
    const { system } = this.#options;
    const nowMs = system.monotonicMs();
    const connection: Connection = {
      session,
      calls: new Set(),
      budget: new FrameBudget({
        countMax: this.#limits.wastedFrameCountMax,
        forgivenPerSecond: this.#limits.wastedFramesForgivenPerSecond,
        nowMs,
      }),
      peerIp: session.socket.remoteAddress ?? "",
      idleSinceMs: nowMs,
    };
    this.#connections.add(connection);
    nameFloods(session);
    if (this.#draining.isRefusing) session.close();
    session.on("close", () => this.#connections.delete(connection));
    session.on("error", () => undefined); // The peer broke the protocol or the connection; `close` follows.
    session.on("ping", () => this.#waste(connection));
    session.on("remoteSettings", () => this.#waste(connection));
    // oxlint-disable-next-line max-params -- Node calls it with these
    session.on("stream", (stream, headers, _flags, rawHeaders) => {
      joinRepeatedAuthorization(headers, rawHeaders);
      this.#onStream(connection, stream, headers);
    });
    this.#sweeper.plan();
  }

  #onStream(connection: Connection, stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    const { system, edge } = this.#options;
    const record = edge.open({
      protocol: "gRPC",
      method: headers[":method"] ?? "",
      target: headers[":path"] ?? "",
      headers: headersOf(headers),
      clientIp: connection.peerIp,
    });
    stream.on("error", () => undefined); // What broke is the client's; `close` follows.
    const refusedStatus = refuseRequest(headers);
    if (refusedStatus !== undefined) {
      this.#waste(connection);
      const own: OutgoingHttpHeaders = { ":status": refusedStatus };
      addOwnHeaders(own, edge.headersOf(record));
      stream.respond(own, { endStream: true });
      edge.close(record, { status: refusedStatus, sizeBytes: 0 });
      stream.resume();
      return;
    }
    const call = new GrpcCall(stream, headers, {
      system,
      limits: this.#limits,
      turnEnd: this.#turnEnd,
      record,
      edge,
    });
    connection.calls.add(call);
    // More than may be open: their client has taken some back, and their ends are only on their way here.
    if (connection.calls.size > this.#limits.concurrentCallCountMax) this.#waste(connection);
    stream.on("close", () => {
      connection.calls.delete(call);
      if (connection.calls.size === 0) connection.idleSinceMs = system.monotonicMs();
      if (!call.isAnswered || isTakenBack(stream)) this.#waste(connection);
      this.#draining.onEnded();
    });
    void this.#serve(call, stream).then((status) => call.complete(status));
  }

  async #serve(call: GrpcCall, stream: ServerHttp2Stream): Promise<GrpcStatus> {
    const { log, methods } = this.#options;
    if (this.#draining.isRefusing) return unavailable;
    const sizeBytes = metadataSizeOf(call.metadata);
    const { metadataSizeBytesMax } = this.#limits;
    if (sizeBytes > metadataSizeBytesMax) {
      const message = `metadata has ${sizeBytes} bytes, want ${metadataSizeBytesMax} or less`;
      return { code: grpcCodes.resourceExhausted, message };
    }
    const path = call.metadata[":path"] ?? "";
    const method = methods.get(path);
    if (method === undefined) {
      return { code: grpcCodes.unimplemented, message: `unknown method ${path.slice(0, 256)}` };
    }
    const timeout = readTimeout(call.metadata["grpc-timeout"] as string | undefined);
    if (timeout === "malformed") {
      return { code: grpcCodes.invalidArgument, message: "malformed grpc-timeout" };
    }
    const encoding = call.metadata["grpc-encoding"] ?? "identity";
    if (!acceptedEncodingSet.has(encoding)) {
      const message = `grpc-encoding "${String(encoding).slice(0, 32)}" is not served, want ${acceptedEncodings}`;
      return { code: grpcCodes.unimplemented, message };
    }
    call.setDeadline(Math.min(timeout ?? method.durationMsMax, method.durationMsMax));
    try {
      if ("handle" in method) await method.handle(call);
      else await serveGuarded({ call, method, socket: stream.session?.socket }, this.#options);
      return ok;
    } catch (error) {
      if (error instanceof GrpcFault) return error;
      if (error instanceof WireFault) {
        return { code: grpcCodes.invalidArgument, message: error.message };
      }
      if (!call.isOver) log.error("A gRPC call failed", { path, error, client: call.clientIp });
      return internal;
    }
  }

  #waste({ session, budget }: Connection): void {
    if (session.destroyed || budget.spend(this.#options.system.monotonicMs(), 1)) return;
    calmDown(session);
  }

  #sweep(nowMs: number): boolean {
    for (const { session, calls, idleSinceMs } of this.#connections) {
      if (calls.size > 0) continue;
      const idleMs = nowMs - idleSinceMs;
      if (idleMs >= this.#limits.idleTimeoutMs + this.#limits.stallTimeoutMs) session.destroy();
      else if (idleMs >= this.#limits.idleTimeoutMs) session.close();
    }
    return this.#connections.size > 0;
  }
}

/** Names and values together: what is announced as the limit of a header list is enforced by nobody else. */
function metadataSizeOf(metadata: IncomingHttpHeaders): number {
  let sizeBytes = 0;
  for (const name in metadata) {
    const value = metadata[name];
    if (value === undefined) continue;
    sizeBytes += name.length + (typeof value === "string" ? value.length : value.join("").length);
  }
  return sizeBytes;
}

/** What is not gRPC at all is refused with a status of HTTP. */
function refuseRequest(headers: IncomingHttpHeaders): number | undefined {
  if (headers[":method"] !== "POST") return 405;
  const contentType = headers["content-type"] ?? "";
  return /^application\/grpc(?:\+proto)?(?:;|$)/.test(contentType) ? undefined : 415;
}
