import type { AuditRefusal, ListeningAddress, Log, System } from "../../core/index.ts";
import type { AddressRanges } from "../../gateway-settings/index.ts";
import type { ClientCertReader } from "../auth/index.ts";
import type { RequestChain } from "../chain/index.ts";
import { eventStreamLimitDefaults } from "../dispatch/index.ts";
import type { Edge } from "../edge/index.ts";
import { createHttpListener } from "../http/index.ts";
import { setUpGrpc } from "../grpc/index.ts";
import { setUpHttp3 } from "../http3/index.ts";
import {
  type Drained,
  type HttpListener,
  type HttpListenerOptions,
  httpLimitDefaults,
  readTlsMaterial,
} from "../listening/index.ts";
import type { MiddlewareResolver } from "../middleware/index.ts";
import type { AgentBus } from "../ports.ts";
import type { GatewayProcess, StringMap } from "../request.ts";
import { reopenTls } from "./reopen-tls.ts";
import { setUpWebSockets, type WebSocketServer } from "../websocket/index.ts";
import type { HttpGatewayOptions, HttpGatewayPorts } from "./gateway-options.ts";

/** What the listeners of one start of a gateway are made of. */
export interface ListenersSetup {
  /** Name of the gateway's node. */
  readonly node: string;
  /** Address or name to bind. */
  readonly host: string;
  readonly options: HttpGatewayOptions;
  readonly requestTimeoutMs: number;
  /** That of the route which takes longest, milliseconds. */
  readonly longestTimeoutMs: number;
  readonly trustedProxies: AddressRanges;
  readonly castTimeoutMs: number;
  /** Answers each request of HTTP. */
  readonly chain: RequestChain;
  readonly resolveMiddleware: MiddlewareResolver;
  readonly readClientCert: ClientCertReader;
  readonly isPeerClient: boolean;
  readonly edge: Edge;
  /** Hears of each client that is refused. */
  readonly onRefusal: ((refusal: Omit<AuditRefusal, "gateway">) => void) | undefined;
  readonly bus: AgentBus;
  /** See `HttpGatewayPorts.openSession`. */
  readonly openSession: HttpGatewayPorts["openSession"];
  readonly process: GatewayProcess;
  readonly system: System;
  readonly log: Log;
}

/** The listeners of a gateway, as one. */
export interface Listeners {
  /** TCP port of HTTP/1.1 and HTTP/2. */
  readonly port: number;
  /** All ports, that one first. */
  readonly addresses: readonly ListeningAddress[];
  /** Reads the certificates again, where it serves with some. */
  reopen(): void;
  /** See `HttpListener`. */
  announce(): void;
  /** See `HttpListener`. */
  close(): Promise<void>;
  /** See `HttpListener`. */
  leavePorts(options: { readonly timeoutMs: number }): Promise<void>;
  /** See `HttpListener`. */
  end(): Promise<Drained>;
  /** See `HttpListener`. */
  stop(options: { readonly timeoutMs: number }): Promise<Drained>;
}

type Stoppable = Pick<HttpListener, "announce" | "close" | "end" | "leavePort" | "stop" | "useTls">;

/**
 * Starts what a gateway listens with: HTTP/3, gRPC and WebSocket where they are configured, and HTTP/1.1 with HTTP/2.
 * When one of them cannot start, those that listen already are stopped.
 *
 * @param setup Of one start of the gateway.
 * @returns The listeners.
 * @throws AGENTRT_GATEWAY_* errors: of an address, the TLS files, or settings that contradict each other.
 */
export async function startListeners(setup: ListenersSetup): Promise<Listeners> {
  const { port = 8080 } = setup.options;
  const upgrades = await webSocketsOf(setup);
  const served = servedOf(setup);
  const started: Stoppable[] = [];
  const { host } = setup;
  try {
    const http3 = await startHttp3(setup, served, started);
    const grpcPort = await startGrpc(setup, started);
    const responseHeaders = http3?.responseHeaders;
    const listener = createHttpListener({ ...served, port, upgrades, responseHeaders });
    const bound = await listener.start();
    started.push(listener);
    return {
      port: bound.port,
      addresses: [
        { protocol: served.tls === undefined ? "http" : "https", host, port: bound.port },
        ...(http3 === undefined ? [] : [{ protocol: "http3" as const, host, port: http3.port }]),
        ...(grpcPort === undefined ? [] : [{ protocol: "grpc" as const, host, port: grpcPort }]),
      ],
      reopen: () => {
        const { options, node, log } = setup;
        if (options.tls !== undefined) reopenTls(options.tls, { node, servers: started, log });
      },
      announce: () => {
        for (const each of started) each.announce();
      },
      close: async () => void (await Promise.all(started.map((each) => each.close()))),
      leavePorts: async (leaving) =>
        void (await Promise.all(started.map((each) => each.leavePort(leaving)))),
      end: async () => sumOf(await Promise.all(started.map((each) => each.end()))),
      stop: (stopping) => stopAll(started, stopping),
    };
  } catch (error) {
    await stopAll(started, { timeoutMs: 0 });
    throw error;
  }
}

async function stopAll(
  started: readonly Stoppable[],
  stopping: { readonly timeoutMs: number },
): Promise<Drained> {
  return sumOf(await Promise.all(started.map((each) => each.stop(stopping))));
}

function sumOf(drained: readonly Drained[]): Drained {
  return { cutCount: drained.reduce((sum, each) => sum + each.cutCount, 0) };
}

type Served = Omit<HttpListenerOptions, "port" | "upgrades" | "responseHeaders">;

/** What HTTP/1.1, HTTP/2 and HTTP/3 have in common. */
function servedOf(setup: ListenersSetup): Served {
  const { node, host, options, chain, edge, system, log, onRefusal, longestTimeoutMs } = setup;
  const stallTimeoutMs = httpLimitDefaults.stallTimeoutMs + longestTimeoutMs;
  return {
    node,
    host,
    chain,
    edge,
    system,
    log,
    onRefusal,
    tls: options.tls === undefined ? undefined : readTlsMaterial(node, options.tls),
    limits: { stallTimeoutMs, ...options.limits },
  };
}

/** Starts HTTP/3 where it is wanted. @returns Its port, and the headers that announce it to clients of the other versions. */
async function startHttp3(
  { options: { http3 }, host, log }: ListenersSetup,
  served: Served,
  started: Stoppable[],
): Promise<{ readonly port: number; readonly responseHeaders: StringMap } | undefined> {
  if (http3 === undefined) return undefined;
  const listener = setUpHttp3({ ...served, tls: served.tls, http3 });
  const { port } = await listener.start();
  started.push(listener);
  log.info("listening", { http3: `${host}:${port}` });
  return { port, responseHeaders: { "alt-svc": `h3=":${port}"` } };
}

/** Starts gRPC where it is wanted. @returns Its port. */
async function startGrpc(setup: ListenersSetup, started: Stoppable[]): Promise<number | undefined> {
  const { options, readClientCert, ...shared } = setup;
  const { grpc, port: httpPort = 8080, middleware = [], mtls, tls, streams } = options;
  const { routes = [], ownMiddleware = [] } = options;
  if (grpc === undefined) return undefined;
  const isForwarded = mtls?.source === "proxy_header";
  const { queueLengthMax, idleTimeoutMs, durationMsMax } = {
    ...eventStreamLimitDefaults,
    ...streams,
  };
  const ofMessages = messageLimit(options.bodySizeBytesMax);
  const server = await setUpGrpc({
    ...shared,
    grpc,
    httpPort,
    recipients: { routes, defaultMiddleware: ownMiddleware },
    tls: tls === undefined ? undefined : readTlsMaterial(setup.node, tls),
    middleware,
    // A proxy's header is of HTTP: it is not read from metadata.
    readClientCert: isForwarded ? () => undefined : readClientCert,
    isForwarded,
    limits: { ...ofMessages, queueLengthMax, streamIdleTimeoutMs: idleTimeoutMs, durationMsMax },
  });
  const { port } = await server.start();
  started.push(server);
  setup.log.info("listening", { grpc: `${setup.host}:${port}` });
  return port;
}

function webSocketsOf(setup: ListenersSetup): Promise<WebSocketServer | undefined> {
  const { options, host, ...shared } = setup;
  const {
    webSocketRoutes = [],
    webSocketOrigins = [],
    webSocketLimits,
    allowedOrigins = [],
  } = options;
  const { middleware = [], mtls, tls, streams, bodySizeBytesMax } = options;
  const isDirect = (tls?.clientCertMode ?? "none") !== "none";
  const isForwarded = mtls?.source === "proxy_header";
  return setUpWebSockets({
    ...shared,
    routes: webSocketRoutes,
    middleware,
    clientCerts: isForwarded ? "proxy_header" : isDirect ? "direct" : undefined,
    boundHost: host,
    allowedOrigins: [...allowedOrigins, ...webSocketOrigins, ...(options.cors?.origins ?? [])],
    limits: { ...streams, ...messageLimit(bodySizeBytesMax), ...webSocketLimits },
  });
}

/** What one setting bounds on every surface; without it each has its own default. */
function messageLimit(sizeBytesMax: number | undefined): { readonly messageSizeBytesMax?: number } {
  return sizeBytesMax === undefined ? {} : { messageSizeBytesMax: sizeBytesMax };
}
