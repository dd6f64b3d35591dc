import type { JsonObject } from "../../core/index.ts";
import { canonicalName, type GatewayRequest, parseName, principalOf } from "../../gateway/index.ts";

/** What somebody may do: look, change, decide about approvals. */
export type Scope = "read" | "operate" | "approve";

/** Who has which scopes, by the name in records, such as `ada`, `api_key:3f…` or `CN=ada,O=Acme`; `*` is for the others. */
export interface ScopeTable {
  readonly [principal: string]: readonly Scope[];
}

/** The scopes that routes want, without prefix. A route that is not here wants `read` for GET, else `operate`. */
const wanted: { readonly [route: string]: Scope } = {
  "POST /approvals/{id}/approve": "approve",
  "POST /approvals/{id}/deny": "approve",
  "POST /agents/{name}/approve": "approve",
  "POST /agents/{name}/deny": "approve",
  "POST /plan": "read",
};

/** The id of the approval that a resume grants; undefined for any other request. */
export function approvalOfResume(path: string, body: JsonObject): string | undefined {
  const { approval } = path === "/agents/{name}/resume" ? body : {};
  return typeof approval === "string" ? approval : undefined;
}

/**
 * Says which scope a request wants. A resume that grants an approval wants what granting it wants.
 *
 * @param method Upper-case.
 * @param path The pattern of its route, without prefix.
 * @param body Of the request.
 */
export function scopeOfRequest(method: string, path: string, body: JsonObject): Scope {
  if (approvalOfResume(path, body) !== undefined) return "approve";
  const found = wanted[`${method} ${path}`];
  if (found !== undefined) return found;
  return method === "GET" || method === "HEAD" ? "read" : "operate";
}

/**
 * Makes what finds out which scopes somebody has: those that the middleware has set, else those of the table. An identity
 * without scopes, and a request without identity, have all.
 *
 * @param table Names of certificates in it count however they are written.
 * @returns Undefined for all.
 */
export function scopeFinder(
  table: ScopeTable,
): (request: GatewayRequest) => readonly string[] | undefined {
  const byName = new Map(Object.entries(table).map(([name, list]) => [canonical(name), list]));
  return (request) => {
    const { auth } = request;
    if (auth === undefined) return undefined;
    if (Array.isArray(auth.scopes)) return auth.scopes;
    return byName.get(canonical(principalOf(request))) ?? byName.get("*");
  };
}

function canonical(name: string): string {
  const parsed = name.includes("=") ? parseName(name) : undefined;
  return parsed === undefined ? name : canonicalName(parsed);
}
