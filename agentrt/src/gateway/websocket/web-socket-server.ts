import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Socket } from "node:net";
import { type WebSocket, WebSocketServer as Upgrader } from "ws";
import type { JsonObject, SessionSink, System } from "../../core/index.ts";
import { refuseType, assemblePayload, type Recipient, suspendedHeader } from "../dispatch/index.ts";
import {
  refuseUpgrade,
  Sweeper,
  TurnEnd,
  type Upgrade,
  type UpgradeServer,
} from "../listening/index.ts";
import {
  compose,
  type Handler,
  type Middleware,
  createRouter,
  type Router,
  isOriginAllowed,
  Deadline,
  notePrincipal,
  parseQuery,
  parseTarget,
  type RequestTarget,
  splitPath,
} from "../chain/index.ts";
import { clientLog } from "../client-log.ts";
import type { AgentBus, GatewayLog, OpenSession } from "../ports.ts";
import {
  errorResponse,
  type GatewayProcess,
  type GatewayRequest,
  type GatewayResponse,
  type StringMap,
} from "../request.ts";
import type { MessageLimit } from "../rate-limit/index.ts";
import { recordKey } from "../request-record.ts";
import { type Offer, readHandshake } from "./handshake.ts";
import { webSocketLimitDefaults, type WebSocketLimits } from "./limits.ts";
import { Notices } from "./notices.ts";
import { closeCodes, WebSocketSession } from "./session.ts";

/** One WebSocket route. */
export interface WebSocketRoute {
  /** Path pattern with `{name}` placeholders, whose values join every payload. */
  readonly path: string;
  /** Who gets what clients send. */
  readonly recipient: Recipient;
  /** Around the handshake, outermost first. */
  readonly middleware: readonly Middleware[];
  /** True where the agent gets notices of each connection and of its end. */
  readonly isNotified: boolean;
  /** True where each connection is a key of a keyed agent. */
  readonly isKeyedBySession: boolean;
  /** True where no message waits for a suspended agent. */
  readonly failIfSuspended: boolean;
  /** Counts the messages of the client of a handshake; `undefined` where nobody counts. */
  readonly messageLimit: ((request: GatewayRequest) => MessageLimit) | undefined;
  /** True where the handshake needs a token or a key, which no page of another site has: then all may connect. */
  readonly hasOwnSecret: boolean;
}

/** What the WebSocket routes of a gateway are served with. */
export interface WebSocketServerOptions {
  readonly routes: readonly WebSocketRoute[];
  /** Where the gateway is bound. */
  readonly boundHost: string;
  /** Origins whose pages may connect; `*` for all. */
  readonly allowedOrigins: readonly string[];
  /** True where `clientIp` is that of the peer, whatever proxies say. Default false. */
  readonly isPeerClient?: boolean;
  /** Longest wait for the first chunk of a call's reply, and for middleware, milliseconds. */
  readonly requestTimeoutMs: number;
  /** Longest wait of a cast for room in the agent's mailbox, milliseconds. */
  readonly castTimeoutMs: number;
  readonly bus: AgentBus;
  /** Makes an address of a connection. Without it agents only answer. */
  readonly openSession?: ((name: string, sink: SessionSink) => OpenSession) | undefined;
  readonly process: GatewayProcess;
  readonly log: GatewayLog;
  readonly system: System;
  readonly limits?: Partial<WebSocketLimits> | undefined;
}

interface Asked {
  readonly route: WebSocketRoute;
  readonly target: RequestTarget;
  readonly pathParams: StringMap;
}

const typeDefault = "ws.message";
const typeHeader = "x-agentrt-type";
const apiKeyHeader = "x-api-key";
const closeTimeoutMs = 5_000;

const foreignOrigin = errorResponse(403, "pages of that origin may not connect");
const tooMany = errorResponse(503, "too many WebSocket connections", { "retry-after": "5" });
const stopping = errorResponse(503, "gateway is stopping", { "retry-after": "1" });
const internal = errorResponse(500, "internal error");
const accepted: GatewayResponse = { status: 200, body: undefined };

/** Serves the WebSocket routes of a gateway on connections of its HTTP/1.1 listener. */
export class WebSocketServer implements UpgradeServer {
  readonly #options: WebSocketServerOptions;
  readonly #limits: WebSocketLimits;
  readonly #router: Router<WebSocketRoute>;
  readonly #turnEnd: TurnEnd;
  /** Of handshakes. */
  readonly #deadline: Deadline;
  readonly #sessions = new Set<WebSocketSession>();
  #handshakeCount = 0;
  readonly #sweeper: Sweeper;
  #isStopping = false;

  /** Throws AGENTRT_GATEWAY_ROUTE_INVALID when a path is malformed. */
  constructor(options: WebSocketServerOptions) {
    this.#options = options;
    this.#turnEnd = new TurnEnd(options.system);
    this.#deadline = new Deadline(options.system, options.requestTimeoutMs);
    this.#limits = { ...webSocketLimitDefaults, ...options.limits };
    this.#sweeper = new Sweeper({
      system: options.system,
      intervalMs: this.#limits.checkIntervalMs,
      sweep: (nowMs) => this.#sweep(nowMs),
    });
    this.#router = createRouter(
      options.routes.map((route) => ({ method: "GET", path: route.path, target: route })),
    );
  }

  wants(message: IncomingMessage): boolean {
    const isWebSocket = message.headers.upgrade?.toLowerCase() === "websocket";
    return isWebSocket && this.#find(message) !== undefined;
  }

  accept(message: IncomingMessage, socket: Socket, upgrade: Upgrade): void {
    const asked = this.#find(message);
    const offer = readHandshake(message);
    if (asked === undefined) {
      return refuse(socket, errorResponse(404, "no such route"), upgrade);
    }
    if ("status" in offer) return refuse(socket, offer, upgrade);
    const refusal = this.#refuse(message, asked.route);
    if (refusal !== undefined) return refuse(socket, refusal, upgrade);
    this.#handshakeCount += 1;
    void this.#shake({ message, socket, upgrade, asked, offer }).finally(() => {
      this.#handshakeCount -= 1;
      upgrade.onEnded();
    });
  }

  refuse(): void {
    this.#isStopping = true;
    for (const session of this.#sessions) session.stop();
  }

  get workCount(): number {
    let count = this.#handshakeCount;
    for (const session of this.#sessions) if (session.isBusy) count += 1;
    return count;
  }

  endWork(): void {
    for (const session of this.#sessions) session.giveUp();
  }

  cut(): void {
    this.#sweeper.stop(); // The sockets are the listener's, which destroys them.
  }

  #find(message: IncomingMessage): Asked | undefined {
    const target = parseTarget(message.url ?? "");
    const segments = target === undefined ? undefined : splitPath(target.path);
    if (target === undefined || segments === undefined) return undefined;
    const match = this.#router(message.method ?? "", segments);
    return match.kind === "found"
      ? { route: match.target, target, pathParams: match.pathParams }
      : undefined;
  }

  /** What is refused before anybody is asked who the client is; `undefined` for nothing. */
  #refuse(message: IncomingMessage, route: WebSocketRoute): GatewayResponse | undefined {
    if (this.#isStopping) return stopping;
    const { allowedOrigins: allowed, boundHost } = this.#options;
    if (!route.hasOwnSecret && !isOriginAllowed(message.headers, { allowed, boundHost })) {
      return foreignOrigin;
    }
    const openCount = this.#sessions.size + this.#handshakeCount;
    return openCount >= this.#limits.connectionCountMax ? tooMany : undefined;
  }

  async #shake(shake: Shake): Promise<void> {
    const { socket } = shake;
    const gone = new AbortController();
    const onGone = (): void => gone.abort();
    socket.once("close", onGone);
    const { response, request } = await this.#authenticate(shake, gone.signal);
    socket.off("close", onGone);
    if (socket.destroyed) return shake.upgrade.conclude({ status: 499, sizeBytes: 0 });
    if (this.#isStopping) {
      return refuse(socket, stopping, shake.upgrade);
    }
    if (response === accepted) this.#open(shake, request);
    else refuse(socket, response, shake.upgrade);
  }

  /** Runs the middleware, which refuses the handshake by returning another response than `accepted`. */
  async #authenticate(
    { message, socket, asked, offer, upgrade: { record } }: Shake,
    signal: AbortSignal,
  ): Promise<{ readonly response: GatewayResponse; readonly request: GatewayRequest }> {
    const { log, process, isPeerClient } = this.#options;
    record.route = asked.route.path;
    const { "sec-websocket-protocol": _, ...others } = message.headers as StringMap;
    const headers: StringMap =
      offer.token === undefined
        ? others
        : { [apiKeyHeader]: offer.token, ...others, authorization: `Bearer ${offer.token}` };
    const requestWith = (until: AbortSignal): GatewayRequest => ({
      method: "GET",
      path: asked.target.path,
      authority: asked.target.authority ?? headers["host"],
      pathParams: asked.pathParams,
      queryParams: parseQuery(asked.target.query),
      headers,
      body: {},
      clientIp: isPeerClient === true ? record.peerIp : record.clientIp,
      requestId: record.id,
      [recordKey]: record,
      gateway: process,
      clientCert: undefined,
      auth: undefined,
      signal: until,
    });
    let request = requestWith(signal);
    let isThrough = false;
    const innermost: Handler = () => {
      isThrough = true;
      return Promise.resolve(accepted);
    };
    const run = compose(asked.route.middleware, notePrincipal(innermost));
    try {
      const response = await this.#deadline.bound(signal, async (until) => {
        request = requestWith(until);
        return await run(request);
      });
      // A middleware may hand on a response of its own making: it let the client through all the same.
      return { response: isThrough && response.status < 300 ? accepted : response, request };
    } catch (error) {
      const client = socket.remoteAddress ?? "";
      log.error("A WebSocket handshake failed", { path: asked.route.path, error, client });
      return { response: internal, request };
    }
  }

  #open(shake: Shake, request: GatewayRequest): void {
    const type = request.headers[typeHeader] || typeDefault;
    const refusal = refuseType(type);
    this.#upgrade(shake, this.#limits.messageSizeBytesMax, (socket) => {
      if (refusal !== undefined) {
        socket.on("error", () => undefined);
        socket.send(JSON.stringify(refusal.body));
        socket.close(closeCodes.policyViolation, "message type is not accepted");
        return;
      }
      const { session, notices, onClosed } = this.#begin({ shake, request, type, socket });
      this.#sessions.add(session);
      notices?.open();
      shake.upgrade.conclude({ status: 101, sizeBytes: 0, event: "open" });
      socket.on("close", (code, reason) => {
        const sizeBytes = shake.socket.bytesWritten;
        shake.upgrade.conclude({ status: code, sizeBytes, event: "close" });
        this.#sessions.delete(session);
        onClosed();
        notices?.close(code, reason.toString());
        shake.upgrade.onEnded();
      });
      this.#sweeper.plan();
    });
  }

  /** Makes what serves a connection, and an address of it. */
  #begin({ shake, request, type, socket }: Beginning): {
    readonly session: WebSocketSession;
    readonly notices: Notices | undefined;
    readonly onClosed: () => void;
  } {
    const { bus, system, requestTimeoutMs, castTimeoutMs, openSession, process } = this.#options;
    const { socket: transport, asked } = shake;
    const { recipient, isNotified, isKeyedBySession, failIfSuspended } = asked.route;
    const id = system.nextId();
    const name = `${process.name}/${id}`;
    const { trace, clientIp } = shake.upgrade.record;
    const log = clientLog(this.#options.log, clientIp);
    const message = {
      // Of all messages of the connection.
      correlationId: id,
      session: openSession === undefined ? undefined : name,
      key: isKeyedBySession ? id : undefined,
      // A connection is no trace: without one of the client's, each message begins its own.
      trace: trace?.parentSpanId === undefined ? undefined : trace,
      timeoutMs: requestTimeoutMs,
      failIfSuspended: failIfSuspended || request.headers[suspendedHeader] === "true",
    };
    const assemble = (body: JsonObject, fixed: JsonObject): JsonObject =>
      assemblePayload({ query: request.queryParams, body, path: request.pathParams, fixed });
    const session = new WebSocketSession({
      socket,
      transport,
      recipient,
      expiresAtMs: request.auth?.expiresAtMs,
      castTimeoutMs,
      message: { ...message, type },
      assemble: (body) => assemble(body, nothing),
      bus,
      log,
      system,
      limits: this.#limits,
      turnEnd: this.#turnEnd,
      limit: asked.route.messageLimit?.(request),
      onIdle: shake.upgrade.onEnded,
      onRoom: () => address?.onRoom(),
    });
    const address = openSession?.(name, session);
    const told = (fixed: JsonObject): JsonObject => assemble(nothing, fixed);
    const notices = isNotified
      ? new Notices({ recipient, message, assemble: told, bus, log })
      : undefined;
    return { session, notices, onClosed: () => address?.close() };
  }

  #upgrade(
    { message, socket, upgrade, offer }: Shake,
    maxPayload: number,
    onOpen: (socket: WebSocket) => void,
  ): void {
    const upgrader = new Upgrader({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false, // A bomb in a few bytes, and memory for every connection.
      maxPayload,
      maxFragments: this.#limits.fragmentCountMax,
      maxBufferedChunks: maxPayload,
      closeTimeout: closeTimeoutMs,
      handleProtocols: () => offer.protocol ?? false,
    });
    const { head, responseHeaders = {} } = upgrade;
    upgrader.on("headers", (lines) => {
      for (const [name, value] of Object.entries(responseHeaders)) lines.push(`${name}: ${value}`);
    });
    upgrader.handleUpgrade(message, socket, head, onOpen);
  }

  #sweep(nowMs: number): boolean {
    for (const session of this.#sessions) session.sweep(nowMs);
    return this.#sessions.size > 0;
  }
}

/** A connection that was just upgraded. */
interface Beginning {
  readonly shake: Shake;
  readonly request: GatewayRequest;
  readonly type: string;
  readonly socket: WebSocket;
}

function refuse(socket: Socket, response: GatewayResponse, upgrade: Upgrade): void {
  refuseUpgrade(socket, response, upgrade.responseHeaders);
  upgrade.conclude({ status: response.status, sizeBytes: 0 });
}

/** One handshake on its way. */
interface Shake {
  readonly message: IncomingMessage;
  readonly socket: Socket & Duplex;
  readonly upgrade: Upgrade;
  readonly asked: Asked;
  readonly offer: Offer;
}

const nothing: StringMap & JsonObject = Object.freeze({});
