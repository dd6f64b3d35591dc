import {
  Agent,
  agentLimits,
  type AgentSpec,
  type JsonObject,
  type Message,
  type System,
  timeoutMsMax,
} from "../../core/index.ts";
import { type ClientCertReader, type MtlsOptions, setUpClientCerts } from "../auth/index.ts";
import { docsPathDefault, docsRoutes, type DocsOptions } from "../docs/docs-routes.ts";
import {
  agentRoutes,
  defaultRouteDescriptions,
  defaultRoutes,
  type DispatchOptions,
  type RouteConfig,
} from "../dispatch/agent-routes.ts";
import {
  eventStreamLimitDefaults,
  EventStreams,
  type EventStreamLimits,
} from "../dispatch/event-streams.ts";
import { createRequestChain, type Route } from "../chain/request-chain.ts";
import { httpLimitDefaults, type HttpLimits } from "../listening/http-limits.ts";
import { type GrpcOptions, type GrpcServer, setUpGrpc } from "../grpc/index.ts";
import { createHttpListener, type HttpListener } from "../http/listener.ts";
import { type Http3Options, setUpHttp3 } from "../http3/index.ts";
import { readTlsMaterial, type TlsFiles } from "../listening/tls-material.ts";
import { listeningUrl } from "../../gateway-settings/listening-url.ts";
import type { MiddlewareRef } from "../chain/middleware.ts";
import { openWriteRoutes } from "./open-writes.ts";
import type { AgentBus } from "../ports.ts";
import {
  createMiddlewareResolver,
  mayAuthenticate,
  type MiddlewareResolver,
} from "../middleware/middleware-resolver.ts";
import type { GatewayProcess, StringMap } from "../request.ts";
import {
  setUpWebSockets,
  upgradeHints,
  type WebSocketLimits,
  type WebSocketRouteConfig,
  type WebSocketServer,
} from "../websocket/index.ts";

/** Settings of one gateway node. */
export interface HttpGatewayOptions {
  /** Address or name to bind. Default `0.0.0.0`. */
  readonly host?: string | undefined;
  /** TCP port, 0 to 65 535; 0 lets the system choose. Default 8080. */
  readonly port?: number | undefined;
  /** Longest wait for an agent's reply in milliseconds, rounded up; above 24 days it is 24 days. Default 30 000. */
  readonly requestTimeoutMs?: number | undefined;
  /** Routes to agents. Default none, which means the default routes. */
  readonly routes?: readonly RouteConfig[] | undefined;
  /** Around every route, outermost first; a path is that of a middleware of this package. Default none. */
  readonly middleware?: readonly MiddlewareRef[] | undefined;
  /** Around `ownRoutes`, and default routes beside them, inside `middleware`. Default none. */
  readonly ownMiddleware?: readonly MiddlewareRef[] | undefined;
  /** Routes of other makers, looked at before `routes`: those of a topology server. Default none. */
  readonly ownRoutes?: readonly Route[] | undefined;
  /** False where an empty `routes` means no routes to agents: a topology server's own gateway. Default true. */
  readonly hasDefaultRoutes?: boolean | undefined;
  /** Longest request body, and message over WebSocket and gRPC, bytes. Default 1 048 576, over gRPC 4 194 304. */
  readonly bodySizeBytesMax?: number | undefined;
  /** The API's description. Default: at `/docs`, where nothing that may authenticate is configured. */
  readonly docs?: DocsOptions | undefined;
  /** Bounds of streamed replies. */
  readonly streams?: Partial<EventStreamLimits> | undefined;
  /** WebSocket routes, on the same port. Default none. */
  readonly webSocketRoutes?: readonly WebSocketRouteConfig[] | undefined;
  /** Origins whose pages may open WebSocket connections beside the gateway's own; `*` for all. Default none. */
  readonly webSocketOrigins?: readonly string[] | undefined;
  /** Bounds of WebSocket connections; those of streamed replies are `streams`. */
  readonly webSocketLimits?: Partial<WebSocketLimits> | undefined;
  /** gRPC on a port of its own. Default none. */
  readonly grpc?: GrpcOptions | undefined;
  /** HTTP/3 on a UDP port, beside the other versions and with their certificate. Default none. */
  readonly http3?: Http3Options | undefined;
  /** Time a stop gives the requests in work, milliseconds. Default 5 000. */
  readonly drainTimeoutMs?: number | undefined;
  /** Certificate and key; without them the port speaks clear text. */
  readonly tls?: TlsFiles | undefined;
  /** Where clients' certificates come from, and which proxies are trusted. Default the connection, and none. */
  readonly mtls?: MtlsOptions | undefined;
  /** Limits of the listener. */
  readonly limits?: Partial<HttpLimits> | undefined;
}

/** What a gateway node needs of the runtime it is part of. */
export interface HttpGatewayPorts {
  readonly system: System;
  /** Environment variables, which middleware of this package reads its settings from. */
  readonly environment: { readonly [name: string]: string | undefined };
  /** True when an agent of that name is in the tree. */
  hasAgent(name: string): boolean;
  /** Told when the gateway listens, at every start. */
  onListening?(address: ListeningAddress): void;
}

/** Where a gateway listens. */
export interface ListeningAddress {
  /** Name of the gateway. */
  readonly node: string;
  readonly host: string;
  /** The real one, also when 0 was configured. */
  readonly port: number;
  /** For people and programs on this machine, for example `http://127.0.0.1:8080`. */
  readonly url: string;
}

const requestTimeoutMsDefault = 30_000;
const openRouteShownCountMax = 5;
const drainTimeoutMsDefault = 5_000;

interface GrpcStart {
  readonly host: string;
  readonly resolve: MiddlewareResolver;
  readonly readClientCert: ClientCertReader;
}

/** The gateway as an agent: it listens while it runs, and finishes the requests in work when it stops. */
export class GatewayAgent extends Agent {
  readonly #options: HttpGatewayOptions;
  readonly #ports: HttpGatewayPorts;
  #listener: HttpListener | undefined;
  #grpc: GrpcServer | undefined;
  #http3: HttpListener | undefined;
  #streams: EventStreams | undefined;

  /**
   * @param name Unique in the tree.
   * @param options Where to listen and what to serve.
   * @param ports What it needs of its runtime.
   */
  constructor(name: string, options: HttpGatewayOptions, ports: HttpGatewayPorts) {
    super(name);
    this.#options = options;
    this.#ports = ports;
  }

  /** Binds. Throws AGENTRT_GATEWAY_* errors: of the address, a route, a middleware, the TLS files. */
  override async onStart(): Promise<void> {
    const { host = "0.0.0.0", port = 8080, tls, bodySizeBytesMax } = this.#options;
    const stallTimeoutMs = httpLimitDefaults.stallTimeoutMs + this.#requestTimeoutMs;
    const { read: readClientCert, trustedProxies } = this.#clientCerts();
    const resolve = createMiddlewareResolver({
      node: this.name,
      system: this.#ports.system,
      log: this.log,
      environment: this.#ports.environment,
      trustedProxies,
    });
    const chain = createRequestChain({
      routes: [
        ...this.#docsRoutes(),
        ...(await this.#routes(resolve)),
        ...upgradeHints(this.#options.webSocketRoutes ?? []),
      ],
      middleware: await resolve(this.#options.middleware ?? []),
      log: this.log,
      process: this.#process(),
      readClientCert,
      ...(bodySizeBytesMax === undefined ? {} : { bodySizeBytesMax }),
    });
    const { system } = this.#ports;
    const upgrades = await this.#webSockets(host, resolve);
    const served = {
      node: this.name,
      host,
      chain,
      system,
      log: this.log,
      tls: tls === undefined ? undefined : readTlsMaterial(this.name, tls),
      limits: { stallTimeoutMs, ...this.#options.limits },
    };
    const responseHeaders = await this.#startHttp3(served);
    const listener = createHttpListener({ ...served, port, upgrades, responseHeaders });
    this.#listener = listener;
    const bound = await this.#startOthers(listener, { host, resolve, readClientCert });
    const url = listeningUrl({ host, port: bound.port, tls });
    this.log.info("listening", { url });
    this.#warnOfOpenWrites(host);
    this.#ports.onListening?.({ node: this.name, host, port: bound.port, url });
  }

  /** Starts gRPC and the listener; when one cannot, those that listen already are stopped. */
  async #startOthers(listener: HttpListener, grpc: GrpcStart): Promise<{ readonly port: number }> {
    try {
      this.#grpc = await this.#startGrpc(grpc);
      return await listener.start();
    } catch (error) {
      await this.#grpc?.stop({ timeoutMs: 0 });
      await this.#http3?.stop({ timeoutMs: 0 });
      throw error;
    }
  }

  /** Starts HTTP/3 where it is wanted. @returns What tells clients of the other versions about it. */
  async #startHttp3(
    served: Omit<Parameters<typeof setUpHttp3>[0], "http3">,
  ): Promise<StringMap | undefined> {
    const { http3 } = this.#options;
    if (http3 === undefined) return undefined;
    this.#http3 = setUpHttp3({ ...served, http3 });
    const { port } = await this.#http3.start();
    this.log.info("listening", { http3: `${served.host}:${port}` });
    return { "alt-svc": `h3=":${port}"` };
  }

  /** Closes the port, finishes the requests in work, and cuts off what is left at the deadline. */
  override async onStop(): Promise<void> {
    const timeoutMs = this.#options.drainTimeoutMs ?? drainTimeoutMsDefault;
    const stopped = await Promise.all([
      this.#listener?.stop({ timeoutMs }),
      this.#grpc?.stop({ timeoutMs }),
      this.#http3?.stop({ timeoutMs }),
    ]);
    const cutCount = stopped.reduce((sum, each) => sum + (each?.cutCount ?? 0), 0);
    this.#streams?.close();
    if (cutCount > 0) this.log.warn("requests were cut off", { count: cutCount, timeoutMs });
  }

  /** A gateway answers requests, not messages: a message to it is taken and nothing is done. */
  override handle(_message: Message): undefined {
    return undefined;
  }

  /** Whole milliseconds that a timer can hold, the stall time added. */
  get #requestTimeoutMs(): number {
    const wantedMs = Math.ceil(this.#options.requestTimeoutMs ?? requestTimeoutMsDefault);
    return Math.min(Math.max(1, wantedMs), timeoutMsMax - httpLimitDefaults.stallTimeoutMs);
  }

  #clientCerts(): ReturnType<typeof setUpClientCerts> {
    const { tls, mtls = {}, middleware = [] } = this.#options;
    return setUpClientCerts({
      node: this.name,
      mtls,
      clientCertMode: tls?.clientCertMode ?? "none",
      hasTlsAndAuthority: tls?.tlsCaCert !== undefined,
      isRequired: middleware.includes("agentrt.gateway.mtls.require_client_cert"),
      system: this.#ports.system,
      log: this.log,
    });
  }

  #warnOfOpenWrites(host: string): void {
    const { middleware = [], ownRoutes = [], ownMiddleware = [], routes = [] } = this.#options;
    const { hasDefaultRoutes = true, webSocketRoutes = [] } = this.#options;
    const served = { host, middleware, ownRoutes, ownMiddleware, routes, hasDefaultRoutes };
    const hasGrpc = this.#options.grpc !== undefined;
    const open = openWriteRoutes({ ...served, webSocketRoutes, hasGrpc });
    if (open.length === 0) return;
    this.log.warn(
      "WRITE ROUTES ARE OPEN TO THE NETWORK: anybody who reaches this address can use them; bind to 127.0.0.1, or set a middleware that authenticates",
      { host, routeCount: open.length, routes: open.slice(0, openRouteShownCountMax).join(", ") },
    );
  }

  #docsRoutes(): Route[] {
    const { docs = {}, routes = [], ownRoutes = [], hasDefaultRoutes = true } = this.#options;
    const path = docs.path ?? docsPathDefault;
    const isTaken = [...routes, ...ownRoutes].some(
      (route) => route.path === path && route.method.toUpperCase() === "GET",
    );
    // A route of the user's is not pushed aside by a page that nobody asked for.
    const isWanted =
      !this.#hasAuthentication && !isTaken && (hasDefaultRoutes || routes.length > 0);
    if (!(docs.isEnabled ?? isWanted)) return [];
    const own = ownRoutes.map(({ method, path }) => ({
      method,
      path,
      tag: "control plane",
      mode: "call" as const,
    }));
    const declared = routes.map(({ agent, mode = "call", ...route }) => ({
      ...route,
      tag: agent,
      mode,
    }));
    const isDefault = routes.length === 0 && hasDefaultRoutes;
    const toAgents = isDefault ? defaultRouteDescriptions : declared;
    return docsRoutes(this.name, path, [...own, ...toAgents]);
  }

  get #hasAuthentication(): boolean {
    const { middleware = [], ownMiddleware = [], routes = [], tls, mtls } = this.#options;
    const refs = [...middleware, ...ownMiddleware];
    for (const route of routes) refs.push(...(route.middleware ?? []));
    const asksForCertificate = (tls?.clientCertMode ?? "none") !== "none";
    return asksForCertificate || mtls?.source === "proxy_header" || mayAuthenticate(refs);
  }

  async #routes(resolveMiddleware: MiddlewareResolver): Promise<Route[]> {
    const { routes = [], hasDefaultRoutes = true } = this.#options;
    const middleware = await resolveMiddleware(this.#options.ownMiddleware ?? []);
    const ownRoutes = (this.#options.ownRoutes ?? []).map((route) => ({ ...route, middleware }));
    const dispatch: DispatchOptions = {
      bus: this.#bus(),
      log: this.log,
      requestTimeoutMs: this.#requestTimeoutMs,
      streams: this.#openStreams(),
      resolveMiddleware,
    };
    if (routes.length > 0) return [...ownRoutes, ...(await agentRoutes(routes, dispatch))];
    if (!hasDefaultRoutes) return ownRoutes;
    // What guards the control plane guards the way to every agent beside it.
    const toAgents = defaultRoutes(dispatch).map((route) => ({ ...route, middleware }));
    return [...ownRoutes, ...toAgents];
  }

  #openStreams(): EventStreams {
    this.#streams?.close();
    const limits = { ...eventStreamLimitDefaults, ...this.#options.streams };
    this.#streams = new EventStreams(this.#ports.system, limits);
    return this.#streams;
  }

  #webSockets(
    boundHost: string,
    resolveMiddleware: MiddlewareResolver,
  ): Promise<WebSocketServer | undefined> {
    const { webSocketRoutes = [], webSocketOrigins = [], webSocketLimits } = this.#options;
    const { middleware = [], mtls, tls, streams, bodySizeBytesMax } = this.#options;
    const isDirect = (tls?.clientCertMode ?? "none") !== "none";
    const isForwarded = mtls?.source === "proxy_header";
    return setUpWebSockets({
      node: this.name,
      routes: webSocketRoutes,
      middleware,
      resolveMiddleware,
      clientCerts: isForwarded ? "proxy_header" : isDirect ? "direct" : undefined,
      boundHost,
      allowedOrigins: webSocketOrigins,
      requestTimeoutMs: this.#requestTimeoutMs,
      bus: this.#bus(),
      process: this.#process(),
      log: this.log,
      system: this.#ports.system,
      limits: { ...streams, ...messageLimit(bodySizeBytesMax), ...webSocketLimits },
    });
  }

  async #startGrpc({ host, resolve, readClientCert }: GrpcStart): Promise<GrpcServer | undefined> {
    const { grpc, port: httpPort = 8080, middleware = [], mtls, tls, streams } = this.#options;
    const ofMessages = messageLimit(this.#options.bodySizeBytesMax);
    if (grpc === undefined) return undefined;
    const { queueLengthMax, idleTimeoutMs, durationMsMax } = {
      ...eventStreamLimitDefaults,
      ...streams,
    };
    const server = await setUpGrpc({
      node: this.name,
      host,
      grpc,
      httpPort,
      tls: tls === undefined ? undefined : readTlsMaterial(this.name, tls),
      middleware,
      resolveMiddleware: resolve,
      // A proxy's header is of HTTP: it is not read from metadata.
      readClientCert: mtls?.source === "proxy_header" ? () => undefined : readClientCert,
      requestTimeoutMs: this.#requestTimeoutMs,
      bus: this.#bus(),
      process: this.#process(),
      log: this.log,
      system: this.#ports.system,
      limits: { ...ofMessages, queueLengthMax, streamIdleTimeoutMs: idleTimeoutMs, durationMsMax },
    });
    const { port } = await server.start();
    this.log.info("listening", { grpc: `${host}:${port}` });
    return server;
  }

  #process(): GatewayProcess {
    const timeoutMs = this.#requestTimeoutMs;
    return {
      name: this.name,
      call: (agent, payload, options) => this.call(agent, payload, { timeoutMs, ...options }),
      cast: (agent, payload, options) => this.cast(agent, payload, { timeoutMs, ...options }),
      hasAgent: (name) => this.#ports.hasAgent(name),
    };
  }

  #bus(): AgentBus {
    return {
      // A message carries the options of a call under their own names.
      call: (message): Promise<JsonObject> =>
        this.call(message.recipient, message.payload, message),
      cast: (message) => this.cast(message.recipient, message.payload, message),
      stream: (message, limits) =>
        this.stream(message.recipient, message.payload, { ...message, ...limits }),
      hasAgent: (name) => this.#ports.hasAgent(name),
    };
  }
}

/**
 * Describes a gateway as a node of a tree.
 *
 * @param name Unique in the tree.
 * @param options Where to listen and what to serve.
 * @param ports What it needs of its runtime; read when the node starts, not before.
 * @returns The node.
 */
export function httpGatewaySpec(
  name: string,
  options: HttpGatewayOptions,
  ports: HttpGatewayPorts,
): AgentSpec {
  return {
    kind: "agent",
    name,
    create: () => new GatewayAgent(name, options, ports),
    limits: agentLimits(name, {}),
    capabilities: [],
    capabilityMetadata: {},
    processName: undefined,
  };
}

/** What one setting bounds on every surface; without it each has its own default. */
function messageLimit(sizeBytesMax: number | undefined): { readonly messageSizeBytesMax?: number } {
  return sizeBytesMax === undefined ? {} : { messageSizeBytesMax: sizeBytesMax };
}
