import type { AuditEvent, AuditRefusal } from "../../core/index.ts";
import {
  errorResponse,
  type GatewayRequest,
  type GatewayResponse,
  type Handler,
  principalOf,
  type Route,
} from "../../gateway/index.ts";
import { auditOfRequest } from "./audited-acts.ts";
import { scopeFinder, scopeOfRequest, type ScopeTable } from "./scopes.ts";

/** What a guard is made from. */
export interface RouteGuard {
  /** Put before every path. */
  readonly prefix: string;
  readonly scopes: ScopeTable;
  /** True where only this machine reaches the routes. */
  readonly isLocal: boolean;
  /** Settles when it is written, or was tried without success. */
  readonly record: (event: AuditEvent) => Promise<void>;
  readonly noteRefusal: (refusal: AuditRefusal) => void;
  readonly warn: (message: string, fields: { readonly [name: string]: unknown }) => void;
}

const readingMethods: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/**
 * Makes what is put around every route of a control plane.
 *
 * @param guard Who may what, and where records go.
 * @returns Wraps a route; one that is open to everybody stays as it is.
 */
export function guardRoute(guard: RouteGuard): (route: Route) => Route {
  const scopesOf = scopeFinder(guard.scopes);
  let isWarned = guard.isLocal;
  const warnOnce = (request: GatewayRequest, route: string): void => {
    if (isWarned || request.auth !== undefined) return;
    isWarned = true;
    guard.warn(
      "A WRITE ROUTE WAS USED WITHOUT AN IDENTITY: nothing in front of it says who asks; bind to 127.0.0.1, or authenticate (auth.middleware)",
      { gateway: request.gateway.name, route, client: request.clientIp },
    );
  };
  return (route) => {
    if (route.isUngated === true) return route;
    const method = route.method.toUpperCase();
    const path = route.path.slice(guard.prefix.length);
    const isWrite = !readingMethods.has(method);
    const handle = async (request: GatewayRequest): Promise<GatewayResponse> => {
      const scopes = scopesOf(request);
      const wanted = scopeOfRequest(method, path, request.body);
      if (scopes !== undefined && !scopes.includes(wanted)) {
        const details = { scope: wanted, route: `${method} ${path}` };
        const principal = principalOf(request);
        const { gateway, clientIp: client } = request;
        const refused = { gateway: gateway.name, by: "scope", status: 403, client, principal };
        guard.noteRefusal({ ...refused, details });
        return errorResponse(403, `'${principal}' lacks the scope '${wanted}'`);
      }
      if (!isWrite) return await route.handle(request);
      warnOnce(request, `${method} ${path}`);
      return await recorded(guard, auditOfRequest(request, { method, path }), async () =>
        route.handle(request),
      );
    };
    return { ...route, handle };
  };
}

/** The record comes before the act: a process that dies in between has done nothing of which there is none. */
async function recorded(
  guard: RouteGuard,
  event: AuditEvent,
  act: () => ReturnType<Handler>,
): Promise<GatewayResponse> {
  await guard.record(event);
  const failed = async (status: number): Promise<void> => {
    const { [event.details["approver"] === undefined ? "initiated_by" : "approver"]: who = null } =
      event.details;
    const details = { of: event.event, status, initiated_by: who };
    const id = { request_id: event.details["request_id"] ?? null };
    await guard.record({
      event: "control.fail",
      agent: event.agent,
      details: { ...details, ...id },
    });
  };
  let response: GatewayResponse;
  try {
    response = await act();
  } catch (error) {
    await failed(500);
    throw error;
  }
  if (response.status >= 400) await failed(response.status);
  return response;
}
