import {
  type GatewayResponse,
  type GatewayRequest,
  type Route,
  isLoopbackHost,
} from "../gateway/index.ts";
import { agentRoutes } from "./agent-routes.ts";
import { agentsBody, asJson, healthBody, snapshotBody } from "./bodies.ts";
import { auditMetricsText } from "./audit-metrics-text.ts";
import { refuseForeignPages } from "./foreign-pages.ts";
import { guardRoute, scopeFinder, type ScopeTable } from "./guard/index.ts";
import { applyRoutes } from "./applying/index.ts";
import { askConditions, askElsewhere, wholeView } from "./elsewhere/index.ts";
import { type WholeHealth, wholeHealth } from "./figures/index.ts";
import { onlyLocalRequests } from "./local-requests.ts";
import { metricsContentType, metricsText, scrapeWaitMs } from "./metrics/index.ts";
import { controlDocument } from "./openapi/index.ts";
import type { RuntimeControl } from "./runtime-view.ts";
import { consoleRoutes } from "../console/index.ts";
import { type Redact, watchRoutes } from "./views/index.ts";
import { standbyRoutes } from "./standby/index.ts";
import { topologyAnswer } from "./topology-route.ts";
import { restartRoute } from "./write-routes.ts";

/** How long workers may take for their figures, milliseconds: less than a command waits for the whole. */
const figuresWaitMs = 3000;

/** What the control plane's routes are made of. */
export interface ControlRoutesOptions {
  /** Name of the topology server; also what the process it runs in is called in bodies. */
  readonly name: string;
  readonly control: RuntimeControl;
  /** Put before every path: empty, or `/admin` and the like. Default empty. */
  readonly prefix?: string;
  /** Address the serving gateway is bound to; on a loopback one foreign `Host` and `Origin` headers are refused. */
  readonly boundHost: string;
  /** Takes out of states what must not be seen; default only keys that look like secrets. */
  readonly redact?: Redact | undefined;
  /** Messages that nobody handled whose payloads are kept, so that they can be sent again; default 0. */
  readonly deadLetterPayloadCountMax?: number | undefined;
  /** Who may what, by principal; `*` is for the others. Default: everybody who comes through may do all. */
  readonly scopes?: ScopeTable | undefined;
  /** Name of the gateway that serves them; default the topology server, which has its own. */
  readonly servedBy?: string;
  /** Origins whose pages may change something; `*` for all. Default only its own. */
  readonly allowedOrigins?: readonly string[];
  /** What guards the gateway, for the sign-in of the console. Default nothing. */
  readonly guards?: readonly unknown[];
  /** True where the port speaks TLS. Default false. */
  readonly isTls?: boolean;
  /** Whether a browser gets the console. Default true. */
  readonly hasConsole?: boolean | undefined;
}

/**
 * Makes the routes of a topology server, for the gateway it owns or the one it is attached to.
 *
 * @param options Whose tree, under which prefix, and where it is bound.
 * @returns `/health`, `/ready`, `/topology`, `/agents`, `/agents/{name}` and its `/mailbox`, `/snapshot`, `/metrics`,
 *   `/processes`, `/dead-letters`, `/approvals` and `/approvals/{id}`; and with POST `/approvals/{id}/approve` and `/deny`,
 *   `/agents/{name}/suspend`, `/resume`, `/restart`, `/mailbox` and `/mailbox/{id}/drop`, `/plan` and `/apply`; and the console
 *   below `/console`.
 */
export function controlRoutes(options: ControlRoutesOptions): Route[] {
  const { name: processId, control: view, prefix = "", redact } = options;
  const { deadLetterPayloadCountMax } = options;
  if (deadLetterPayloadCountMax !== undefined)
    view.observer.letters.keep(deadLetterPayloadCountMax);
  type Answer = GatewayResponse | Promise<GatewayResponse>;
  const get = (path: string, answer: (request: GatewayRequest) => Answer): Route => {
    const handle = async (request: GatewayRequest): Promise<GatewayResponse> => answer(request);
    return {
      method: "GET",
      path: `${prefix}${path}`,
      isUngated: path === "/health" || path === "/ready",
      handle,
    };
  };
  const routes: Route[] = [
    get("/health", async () => ({ status: 200, body: asJson(healthBody(await healthOf(view))) })),
    // The root runs from the moment in which all of the tree has started until the runtime begins to stop. A crashed agent
    // takes nothing from the others, so they go on being served. No name: anybody may ask.
    get("/ready", () =>
      view.status !== "stopping" && view.tree().status === "RUNNING"
        ? { status: 200, body: { status: "ready" } }
        : { status: 503, body: { status: "not_ready" }, headers: { "retry-after": "1" } },
    ),
    get("/topology", topologyAnswer(view, processId)),
    get("/topology/openapi.json", () => ({
      status: 200,
      body: asJson(controlDocument({ title: processId, prefix })),
    })),
    get("/snapshot", async ({ queryParams: { agent } }) => {
      const whole = await wholeView(view, figuresWaitMs);
      const names = agent?.split(",");
      return { status: 200, body: asJson(snapshotBody(whole.snapshot(names), names)) };
    }),
    get("/agents", () => ({
      status: 200,
      body: agentsBody(view.tree(), processId).map((agent) => asJson(agent)),
    })),
    ...watchRoutes(view).map(({ path, answer }) => get(path, answer)),
    get("/metrics", async (request) => ({
      status: 200,
      body: undefined,
      text: `${metricsText(view, await wholeView(view, scrapeWaitMs(request)))}${auditMetricsText(view.auditReport())}`,
      headers: { "content-type": metricsContentType },
    })),
    ...changingRoutes(options),
    ...agentRoutes(view, { processId, redact }).map((route) => ({
      method: route.method,
      path: `${prefix}${route.path}`,
      handle: askElsewhere(route, () => view.elsewhere),
    })),
  ];
  view.reads?.offer(processId, routes, prefix);
  const { standby } = view;
  const served =
    standby === undefined ? routes : standbyRoutes(routes, { standby, server: processId, prefix });
  return withConsole(served.map(guardOf(options, prefix)), options);
}

/** Middleware that asks a browser for nothing that somebody has to type. */
const keylessGuards: ReadonlySet<unknown> = new Set([
  "agentrt.gateway.mtls.require_client_cert",
  "agentrt.gateway.ratelimit.rate_limit",
]);

/** The console asks these routes: its session counts in front of each of them. */
function withConsole(served: readonly Route[], options: ControlRoutesOptions): Route[] {
  const { name: server, control, prefix = "", scopes = {}, isTls = false, guards = [] } = options;
  if (options.hasConsole === false) return [...served];
  const { routes, ahead } = consoleRoutes({
    server,
    prefix,
    isTls,
    needsKey: guards.some((guard) => !keylessGuards.has(guard)),
    nowMs: () => control.observer.nowMs,
    scopesOf: scopeFinder(scopes),
    record: async (event) => await control.recordAudit(event),
  });
  const own = routes.map(fromOwnPages(options));
  return [...served, ...own].map((route) => ({ ...route, ahead: [ahead] }));
}

/** The health of all processes. */
async function healthOf(view: RuntimeControl): Promise<WholeHealth> {
  const { elsewhere } = view;
  const { conditions, silentWorkers } = await askConditions(elsewhere);
  const awayGroups = elsewhere?.awayGroups() ?? [];
  return wholeHealth(view.health(), conditions, { awayGroups, silentWorkers });
}

/** The routes by which an operator changes something, and what they say about a plan. */
function changingRoutes(options: ControlRoutesOptions): Route[] {
  const { control, name, prefix = "", servedBy = name } = options;
  const restart = { method: "POST", ...restartRoute(control) };
  return [restart, ...applyRoutes(control, [name, servedBy])].map(({ method, path, handle }) => ({
    method,
    path: `${prefix}${path}`,
    handle,
  }));
}

/** Makes what is put around every route: a request from this machine, where only that one is served; scopes; records. */
function guardOf(options: ControlRoutesOptions, prefix: string): (route: Route) => Route {
  const { control, boundHost, scopes = {} } = options;
  const isLocal = isLoopbackHost(boundHost);
  const guarded = guardRoute({
    prefix,
    scopes,
    isLocal,
    record: (event) => control.recordAudit(event),
    noteRefusal: (refusal) => control.noteRefusal(refusal),
    warn: (message, fields) => control.warn(message, fields),
  });
  const own = fromOwnPages(options);
  return (route) => own(guarded(route));
}

/** Lets pages of other sites change nothing by a route, and, where only this machine is served, nobody else ask it. */
function fromOwnPages({
  boundHost,
  allowedOrigins = [],
}: ControlRoutesOptions): (route: Route) => Route {
  const isLocal = isLoopbackHost(boundHost);
  return (route) => {
    const { method, handle } = route;
    const own = method === "GET" ? handle : refuseForeignPages(handle, allowedOrigins);
    return { ...route, handle: isLocal ? onlyLocalRequests(own) : own };
  };
}
