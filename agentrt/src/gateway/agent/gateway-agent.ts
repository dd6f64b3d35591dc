import {
  type MessageSchemas,
  Agent,
  agentLimits,
  type AgentSpec,
  type AuditRefusal,
  type Entrance,
  busErrors,
  type JsonObject,
  type Message,
  type SendOptions,
  type StreamOptions,
  timeoutMsMax,
} from "../../core/index.ts";
import {
  type AddressRanges,
  corsFaults,
  headerNameFault,
  isLoopbackHost,
  listeningUrl,
  securityHeaderFaults,
} from "../../gateway-settings/index.ts";
import { setUpClientCerts } from "../auth/index.ts";
import { gatewayErrors } from "../errors.ts";
import {
  type Cors,
  createCors,
  createCrossSiteGuard,
  createRequestChain,
  type CrossSiteGuard,
  type Route,
} from "../chain/index.ts";
import {
  agentRoutes,
  defaultDescriptions,
  defaultRoutes,
  type DispatchOptions,
  eventStreamLimitDefaults,
  EventStreams,
  shownRecipient,
} from "../dispatch/index.ts";
import { describeBySchemas, docsPathDefault, docsRoutes } from "../docs/index.ts";
import { AccessLog } from "../access-log/index.ts";
import { createEdge, type Edge, securityHeaderList } from "../edge/index.ts";
import { httpLimitDefaults } from "../listening/index.ts";
import {
  authenticates,
  authenticatesAsDeclared,
  createMiddlewareResolver,
  type MiddlewareResolver,
} from "../middleware/index.ts";
import type { AgentBus, GatewayMessage } from "../ports.ts";
import type { GatewayProcess } from "../request.ts";
import { upgradeHints } from "../websocket/index.ts";
import { type BoundedLog, boundErrors } from "./bounded-log.ts";
import type { HttpGatewayOptions, HttpGatewayPorts } from "./gateway-options.ts";
import { type Listeners, startListeners } from "./listeners.ts";
import { openWriteRoutes } from "./open-writes.ts";
import { openPublishPaths, setUpPublished } from "./published.ts";
import type { Published } from "../publish/index.ts";

const requestTimeoutMsDefault = 30_000;
const castTimeoutMsDefault = 1_000;
const openRouteShownCountMax = 5;
const drainTimeoutMsDefault = 5_000;

/** The gateway as an agent: it listens while it runs, and finishes the requests in work when it stops. */
export class GatewayAgent extends Agent {
  /** `middleware` and `ownMiddleware` hold those of authentication, too. */
  readonly #options: HttpGatewayOptions;
  readonly #ports: HttpGatewayPorts;
  #listeners: Listeners | undefined;
  #streams: EventStreams | undefined;
  /** What it serves for agents elsewhere. */
  #published: Published | undefined;
  #requestLog: BoundedLog | undefined;
  /** Read files again that middleware has read. */
  #reopeners: (() => Promise<void>)[] = [];
  #accessLog: AccessLog | undefined;
  #trustedProxies: AddressRanges | undefined;
  /** True when the runtime has ended its requests before it stops. */
  #isEnded = false;
  /** Tells the runtime that it listens no more. */
  #leave: (() => void) | undefined;

  /**
   * @param name Unique in the tree.
   * @param options Where to listen and what to serve.
   * @param ports What it needs of its runtime.
   */
  constructor(name: string, options: HttpGatewayOptions, ports: HttpGatewayPorts) {
    super(name);
    const {
      authMiddleware = [],
      middleware = [],
      ownMiddleware = [],
      ownAuthMiddleware = [],
    } = options;
    this.#options = {
      ...options,
      middleware: [...authMiddleware, ...middleware],
      ownMiddleware: [...ownMiddleware, ...ownAuthMiddleware],
    };
    this.#ports = ports;
  }

  /** Binds. Throws AGENTRT_GATEWAY_* errors: of the address, a route, a middleware, the TLS files. */
  override async onStart(): Promise<void> {
    try {
      await this.#listen();
    } catch (error) {
      this.#published?.close();
      await this.#accessLog?.close();
      throw error;
    }
  }

  async #listen(): Promise<void> {
    const { host = "0.0.0.0", tls, bodySizeBytesMax } = this.#options;
    const { system } = this.#ports;
    const { read: readClientCert, trustedProxies } = this.#clientCerts();
    this.#reopeners = [];
    this.#trustedProxies = trustedProxies;
    const resolve = createMiddlewareResolver({
      onReopen: (reopen) => void this.#reopeners.push(reopen),
      node: this.name,
      system,
      log: this.#boundedLog(),
      environment: this.#ports.environment,
      trustedProxies,
      onRefusal: this.#onRefusal,
    });
    const streams = this.#openStreams();
    const published = await this.#publish(host, resolve);
    const { cors: corsOptions } = this.#options;
    const cors = corsOptions === undefined ? undefined : createCors(corsOptions);
    const edge = this.#createEdge(trustedProxies, cors);
    const isPeerClient = this.#options.mtls?.source === "proxy_header";
    const chain = createRequestChain({
      routes: [
        ...this.#docsRoutes(),
        ...published,
        ...(await this.#routes(resolve, streams)),
        ...upgradeHints(this.#options.webSocketRoutes ?? []),
      ],
      middleware: await resolve(this.#options.middleware ?? []),
      log: this.#boundedLog(),
      process: this.#process(),
      sendChunks: (request, response, leave) => streams.begin(request, response, leave),
      readClientCert,
      isPeerClient,
      cors,
      deadline: { system, timeoutMs: this.#requestTimeoutMs },
      ...this.#crossSiteGuard(host),
      ...(bodySizeBytesMax === undefined ? {} : { bodySizeBytesMax }),
    });
    this.#listeners = await startListeners({
      node: this.name,
      host,
      options: this.#options,
      requestTimeoutMs: this.#requestTimeoutMs,
      longestTimeoutMs: this.#longestTimeoutMs,
      trustedProxies,
      castTimeoutMs: this.#castTimeoutMs,
      chain,
      resolveMiddleware: resolve,
      readClientCert,
      isPeerClient,
      edge,
      onRefusal: this.#onRefusal,
      bus: this.#bus(),
      openSession: this.#ports.openSession,
      process: this.#process(),
      system,
      log: this.#boundedLog(),
    });
    const { port } = this.#listeners;
    const url = listeningUrl({ host, port, tls });
    // Whoever is told says so itself.
    if (this.#ports.onListening === undefined) this.log.info("listening", { url });
    this.#warnOfOpenWrites(host);
    this.#leave = this.#ports.addEntrance?.(this.#entrance(this.#listeners));
    this.#ports.onListening?.({ node: this.name, host, port, url });
  }

  /** @throws As `setUpPublished` does. */
  async #publish(host: string, resolveMiddleware: MiddlewareResolver): Promise<readonly Route[]> {
    this.#published?.close();
    this.#published = await setUpPublished({
      node: this.name,
      host,
      options: this.#options,
      ports: this.#ports,
      bus: this.#bus(),
      log: this.#boundedLog(),
      resolveMiddleware,
      trustedProxies: this.#trustedProxies,
      requestTimeoutMs: this.#requestTimeoutMs,
    });
    return this.#published?.routes ?? [];
  }

  /** @throws AGENTRT_GATEWAY_SETTING_INVALID. */
  #createEdge(trustedProxies: AddressRanges, cors: Cors | undefined): Edge {
    const { requestId, forwardedHeader, securityHeaders, tls } = this.#options;
    this.#refuseHeaders();
    this.#accessLog = this.#openAccessLog();
    const { requestMetrics, system, tracer } = this.#ports;
    return createEdge({
      accessLog: this.#accessLog,
      system,
      tracer: tracer?.(),
      onEnd: (record, outcome) => requestMetrics?.count(this.name, record, outcome),
      requestId,
      forwardedHeader,
      trustedProxies,
      responseHeaders: securityHeaderList(securityHeaders, { isTls: tls !== undefined }),
      ...(cors === undefined ? {} : { corsHeadersFor: (headers) => cors.headersFor(headers) }),
    });
  }

  #openAccessLog(): AccessLog | undefined {
    const { accessLog = false } = this.#options;
    if (accessLog === false) return undefined;
    const settings = accessLog === true ? {} : accessLog;
    const { system } = this.#ports;
    return new AccessLog({ ...settings, node: this.name, system, log: this.#boundedLog() });
  }

  #refuseHeaders(): void {
    const { cors, securityHeaders = true, requestId = {} } = this.#options;
    const refuse = (key: string, reason: string): never => {
      throw new gatewayErrors.SETTING_INVALID({ node: this.name, key, reason });
    };
    const [fault] = cors === undefined ? [] : corsFaults(cors);
    if (fault !== undefined) refuse(`cors.${fault.key}`, fault.reason);
    const [header] = securityHeaderFaults(securityHeaders);
    if (header !== undefined) refuse(`security_headers."${header.name}"`, header.reason);
    const idFault = headerNameFault(requestId.header ?? "x");
    if (idFault !== undefined) refuse(`request_id.header "${requestId.header}"`, idFault);
  }

  #entrance(listeners: Listeners): Entrance {
    return {
      name: this.name,
      listeners: listeners.addresses,
      requestTimeoutMs: this.#longestTimeoutMs,
      announce: () => listeners.announce(),
      reopen: async () => {
        this.#accessLog?.reopen();
        listeners.reopen();
        await Promise.all(this.#reopeners.map((reopen) => reopen()));
      },
      close: () => listeners.close(),
      end: async () => {
        this.#isEnded = true;
        this.#streams?.finish("gateway is stopping");
        this.#published?.close();
        return await listeners.end();
      },
    };
  }

  /** Closes the port, finishes the requests in work, and cuts off what is left at the deadline. */
  override async onStop(): Promise<void> {
    this.#leave?.();
    if (!this.#isEnded) await this.#drain();
    await this.#accessLog?.close();
  }

  /** Closes the ports: another object of the node, or another node, can listen there. Requests in work go on. */
  async leavePorts(): Promise<void> {
    await this.#listeners?.leavePorts({ timeoutMs: this.#drainTimeoutMs });
  }

  get #drainTimeoutMs(): number {
    return this.#options.drainTimeoutMs ?? drainTimeoutMsDefault;
  }

  async #drain(): Promise<void> {
    const timeoutMs = this.#drainTimeoutMs;
    const { cutCount } = (await this.#listeners?.stop({ timeoutMs })) ?? { cutCount: 0 };
    this.#streams?.close();
    this.#published?.close();
    this.#requestLog?.flush();
    if (cutCount > 0) this.log.warn("requests were cut off", { count: cutCount, timeoutMs });
  }

  /** A gateway answers requests, not messages: a message to it is taken and nothing is done. */
  override handle(_message: Message): undefined {
    return undefined;
  }

  /** Whole milliseconds that a timer can hold, the stall time added. */
  get #castTimeoutMs(): number {
    const wantedMs = Math.ceil(this.#options.castTimeoutMs ?? castTimeoutMsDefault);
    return Math.min(Math.max(1, wantedMs), this.#requestTimeoutMs);
  }

  get #requestTimeoutMs(): number {
    return heldByTimers(this.#options.requestTimeoutMs ?? requestTimeoutMsDefault);
  }

  /** That of the route which takes longest. */
  get #longestTimeoutMs(): number {
    const ofRoutes = (this.#options.routes ?? []).map((route) => route.requestTimeoutMs ?? 0);
    return heldByTimers(Math.max(this.#requestTimeoutMs, ...ofRoutes));
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
      log: this.#boundedLog(),
    });
  }

  /** Credentials of this package are nothing that a page of another site could send; what else guards, nobody knows. */
  #crossSiteGuard(boundHost: string): { readonly refuseCrossSite?: CrossSiteGuard } {
    const { middleware = [], allowedOrigins = [], cors } = this.#options;
    const allowed = [...allowedOrigins, ...(cors?.origins ?? [])];
    if (!isLoopbackHost(boundHost) || authenticates(middleware)) return {};
    return { refuseCrossSite: createCrossSiteGuard({ allowed, boundHost }) };
  }

  #warnOfOpenWrites(host: string): void {
    const { ownRoutes = [], routes = [], webSocketRoutes = [] } = this.#options;
    const { hasDefaultRoutes = true, grpc, publish } = this.#options;
    const open = openWriteRoutes({
      host,
      isAuthenticated: this.#isAuthenticated,
      ownRoutes,
      isOwnAuthenticated: this.#isOwnAuthenticated,
      routes,
      hasDefaultRoutes,
      webSocketRoutes,
      hasGrpc: grpc !== undefined,
    });
    if (!this.#isAuthenticated) open.push(...openPublishPaths(publish, host));
    if (open.length === 0) return;
    this.log.warn(
      "WRITE ROUTES ARE OPEN TO THE NETWORK: anybody who reaches this address can use them; bind to 127.0.0.1, or authenticate (auth.middleware)",
      { host, routeCount: open.length, routes: open.slice(0, openRouteShownCountMax).join(", ") },
    );
  }

  /** Undefined where nobody wants to hear of it. */
  get #onRefusal(): ((refusal: Omit<AuditRefusal, "gateway">) => void) | undefined {
    const ports = this.#ports;
    if (ports.onRefusal === undefined) return undefined;
    return (refusal) => ports.onRefusal?.({ ...refusal, gateway: this.name });
  }

  /** For what clients can bring about as often as they like. */
  #boundedLog(): BoundedLog {
    this.#requestLog ??= boundErrors(this.log, this.#ports.system);
    return this.#requestLog;
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
    if (!(docs.isEnabled ?? isWanted)) {
      if (docs.isEnabled === undefined && this.#hasAuthentication)
        this.log.info("the API is not described at a path: clients authenticate", { path });
      return [];
    }
    const own = ownRoutes.map(({ method, path }) => ({
      method,
      path,
      tag: "control plane",
      mode: "call" as const,
    }));
    const schemas = this.#ports.agentSchemas?.() ?? new Map<string, MessageSchemas>();
    const declared = routes.map(({ agent, capability, mode = "call", ...route }) => {
      const tag = shownRecipient({ agent, capability });
      return describeBySchemas({ ...route, tag, mode }, schemas.get(agent ?? ""));
    });
    const isDefault = routes.length === 0 && hasDefaultRoutes;
    const toAgents = isDefault ? defaultDescriptions(schemas) : declared;
    return docsRoutes(this.name, path, [...own, ...toAgents]);
  }

  get #hasAuthentication(): boolean {
    const { routes = [], tls, mtls, publish } = this.#options;
    const asksForCertificate = (tls?.clientCertMode ?? "none") !== "none";
    return (
      asksForCertificate ||
      mtls?.source === "proxy_header" ||
      this.#isAuthenticated ||
      this.#isOwnAuthenticated ||
      authenticates(publish?.middleware ?? []) ||
      routes.some((route) => authenticates(route.middleware ?? []))
    );
  }

  get #isAuthenticated(): boolean {
    const { authMiddleware = [], middleware = [] } = this.#options;
    return authenticatesAsDeclared(authMiddleware) || authenticates(middleware);
  }

  get #isOwnAuthenticated(): boolean {
    const { ownAuthMiddleware = [], ownMiddleware = [] } = this.#options;
    return authenticatesAsDeclared(ownAuthMiddleware) || authenticates(ownMiddleware);
  }

  async #routes(resolveMiddleware: MiddlewareResolver, streams: EventStreams): Promise<Route[]> {
    const { routes = [], hasDefaultRoutes = true } = this.#options;
    const middleware = await resolveMiddleware(this.#options.ownMiddleware ?? []);
    const ownRoutes = (this.#options.ownRoutes ?? []).map((route) => ({ ...route, middleware }));
    const dispatch: DispatchOptions = {
      bus: this.#bus(),
      log: this.#boundedLog(),
      requestTimeoutMs: this.#requestTimeoutMs,
      castTimeoutMs: this.#castTimeoutMs,
      system: this.#ports.system,
      trustedProxies: this.#trustedProxies,
      streams,
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
    this.#streams = new EventStreams(this.#ports.system, limits, this.#boundedLog());
    return this.#streams;
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

  /** The one way of clients to agents, whatever listener they came by. */
  #bus(): AgentBus {
    const closed = (address: string): Error => new busErrors.NO_ROUTE({ address });
    const refuseClosed = (name: string): void => {
      if (this.#ports.isClosed(name)) throw closed(name);
    };
    return {
      call: (message): Promise<JsonObject> => {
        const { recipient } = message;
        if (this.#ports.isClosed(recipient)) return Promise.reject(closed(recipient));
        return this.call(recipient, message.payload, optionsOf(message));
      },
      // A message carries the options of a call under their own names.
      cast: async ({ recipient, payload, ...options }) => {
        refuseClosed(recipient);
        await this.cast(recipient, payload, options);
      },
      stream: (message, limits) => {
        refuseClosed(message.recipient);
        return this.stream(message.recipient, message.payload, streamOptionsOf(message, limits));
      },
      chooseCapable: (tag) => this.#ports.chooseCapable(tag),
      hasAgent: (name) => this.#ports.hasAgent(name) && !this.#ports.isClosed(name),
      isInfrastructure: (name) => this.#ports.isInfrastructure(name),
    };
  }
}

/** Named one by one: each request over HTTP comes here, and the rest of an object costs a microsecond. */
function optionsOf(message: GatewayMessage): SendOptions {
  const { type, correlationId, session, key, trace, timeoutMs, signal, failIfSuspended } = message;
  return { type, correlationId, session, key, trace, timeoutMs, signal, failIfSuspended };
}

/** See `optionsOf`. */
function streamOptionsOf(
  message: Parameters<AgentBus["stream"]>[0],
  limits: Parameters<AgentBus["stream"]>[1],
): StreamOptions {
  const { type, correlationId, session, key, trace, timeoutMs, failIfSuspended } = message;
  const { bufferLengthMax, firstChunkTimeoutMs, roomTimeoutMs, idleTimeoutMs, durationMsMax } =
    limits;
  return {
    type,
    correlationId,
    session,
    key,
    trace,
    timeoutMs,
    failIfSuspended,
    bufferLengthMax,
    firstChunkTimeoutMs,
    roomTimeoutMs,
    idleTimeoutMs,
    durationMsMax,
  };
}

function heldByTimers(wantedMs: number): number {
  const most = timeoutMsMax - httpLimitDefaults.stallTimeoutMs;
  return Math.min(Math.max(1, Math.ceil(wantedMs)), most);
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
    isClosedToClients: true,
    giveUp: async (agent) => {
      if (agent instanceof GatewayAgent) await agent.leavePorts();
    },
  };
}
