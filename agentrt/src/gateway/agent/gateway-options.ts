import type {
  AuditRefusal,
  Entrance,
  MessageSchemas,
  SessionSink,
  System,
  Tracer,
} from "../../core/index.ts";
import type { MtlsOptions } from "../auth/index.ts";
import type { MiddlewareRef, Route } from "../chain/index.ts";
import type { RouteConfig, EventStreamLimits } from "../dispatch/index.ts";
import type { DocsOptions } from "../docs/index.ts";
import type { AccessLogOptions } from "../access-log/index.ts";
import type { RequestIdOptions } from "../edge/index.ts";
import type { ForwardedHeader } from "../forwarded-address.ts";
import type {
  CorsOptions,
  GrpcOptions,
  Http3Options,
  SecurityHeaders,
} from "../../gateway-settings/index.ts";
import type { HttpLimits, TlsFiles } from "../listening/index.ts";
import type { OpenSession } from "../ports.ts";
import type { PublishOptions, SuspensionPorts } from "../publish/index.ts";
import type { RequestMetrics } from "../request-metrics.ts";
import type { WebSocketLimits, WebSocketRouteConfig } from "../websocket/index.ts";

/** Where the lines of an access log go. */
export type AccessLogSettings = Pick<AccessLogOptions, "path" | "format">;

/** Settings of one gateway node. */
export interface HttpGatewayOptions {
  /** Address or name to bind. Default `0.0.0.0`. */
  readonly host?: string | undefined;
  /** TCP port, 0 to 65 535; 0 lets the system choose. Default 8080. */
  readonly port?: number | undefined;
  /** Longest wait for an agent's reply in milliseconds, rounded up; above 24 days it is 24 days. Default 30 000. */
  readonly requestTimeoutMs?: number | undefined;
  /** Longest wait of a cast for room in the agent's mailbox, milliseconds, at most `requestTimeoutMs`. Default 1 000. */
  readonly castTimeoutMs?: number | undefined;
  /** Routes to agents. Default none, which means the default routes. */
  readonly routes?: readonly RouteConfig[] | undefined;
  /**
   * Around every route, outside of `middleware`: who may ask. Functions count as authentication here, so that `/docs` is
   * off and no warning says that routes are open. Default none.
   */
  readonly authMiddleware?: readonly MiddlewareRef[] | undefined;
  /** Around every route, outermost first; a path is that of a middleware of this package. Default none. */
  readonly middleware?: readonly MiddlewareRef[] | undefined;
  /** Around `ownRoutes`, and default routes next to them, inside `middleware`. Default none. */
  readonly ownMiddleware?: readonly MiddlewareRef[] | undefined;
  /** Inside of `ownMiddleware`, for the same routes: who may ask, as with `authMiddleware`. Default none. */
  readonly ownAuthMiddleware?: readonly MiddlewareRef[] | undefined;
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
  /**
   * Origins whose pages may send requests and open WebSocket connections, in addition to those of this machine; `*` for
   * all. Looked at where the gateway is bound to a loopback address and none of the middleware of this package
   * authenticates. Default none.
   */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Origins, besides the gateway's own, whose pages may open WebSocket connections; `*` for all. Default none. */
  readonly webSocketOrigins?: readonly string[] | undefined;
  /** Bounds of WebSocket connections; those of streamed replies are `streams`. */
  readonly webSocketLimits?: Partial<WebSocketLimits> | undefined;
  /** gRPC on its own port. Default none. */
  readonly grpc?: GrpcOptions | undefined;
  /** HTTP/3 on a UDP port, in addition to the other versions and with their certificate. Default none. */
  readonly http3?: Http3Options | undefined;
  /** Agents that agents elsewhere may use, over MCP and A2A. Default none. */
  readonly publish?: PublishOptions | undefined;
  /** Time for the requests in work when only the gateway stops or restarts, milliseconds. Default 5 000. */
  readonly drainTimeoutMs?: number | undefined;
  /** Certificate and key; without them the port speaks clear text. */
  readonly tls?: TlsFiles | undefined;
  /** Where clients' certificates come from, and which proxies are trusted. Default the connection, and none. */
  readonly mtls?: MtlsOptions | undefined;
  /** Which pages of other origins may read the answers, and open WebSocket connections. Default none. */
  readonly cors?: CorsOptions | undefined;
  /**
   * Headers that browsers heed, on every response over HTTP: true for `X-Content-Type-Options: nosniff`, false for none,
   * values by name in addition to it (false leaves it out). `Strict-Transport-Security` is sent over TLS only. Default true.
   */
  readonly securityHeaders?: SecurityHeaders | undefined;
  /** One line for each request: true for JSON on standard output, or a file and a format. Default none. */
  readonly accessLog?: boolean | AccessLogSettings | undefined;
  /** Where the id of a request is, and whose word counts. Default `x-request-id`, that of trusted proxies. */
  readonly requestId?: RequestIdOptions | undefined;
  /** The header by which the trusted proxies of `mtls` name their client. Default `x-forwarded-for`. */
  readonly forwardedHeader?: ForwardedHeader | undefined;
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
  /** @returns What the classes of agents declare as schemas, by name of the agent; for the API's description. */
  agentSchemas?(): ReadonlyMap<string, MessageSchemas>;
  /** Which agents wait for a person; for the tasks of published agents. */
  readonly suspensions?: SuspensionPorts;
  /** Chooses an agent that declares a capability and takes messages. Throws AGENTRT_BUS_NO_CAPABLE. */
  chooseCapable(tag: string): string;
  /** True for agents of the runtime itself, gateways and topology servers: to clients they are not there. */
  isClosed(name: string): boolean;
  /** True for agents that serve other agents: clients reach one only where settings name it. */
  isInfrastructure(name: string): boolean;
  /**
   * Makes the connection of a client an address that agents may send to, until it is closed.
   *
   * @param name No agent has it.
   * @param sink Where messages for the client go.
   */
  readonly openSession?: (name: string, sink: SessionSink) => OpenSession;
  /**
   * Called when the gateway listens, at every start: the runtime closes it before any agent stops. Without it a gateway
   * drains when it stops itself.
   *
   * @returns Takes it out again.
   */
  addEntrance?(entrance: Entrance): () => void;
  /** What makes a span for each request; asked at every start. None without it. */
  readonly tracer?: () => Tracer | undefined;
  /** Counts the requests; nobody does without it. */
  readonly requestMetrics?: RequestMetrics | undefined;
  /** Called for each client that is refused. Default nobody hears of it. */
  onRefusal?(refusal: AuditRefusal): void;
  /** Called when the gateway listens, at every start. */
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
