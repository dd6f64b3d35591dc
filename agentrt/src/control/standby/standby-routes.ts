import type { JsonObject } from "../../core/index.ts";
import {
  errorResponse,
  type GatewayRequest,
  type GatewayResponse,
  type Route,
} from "../../gateway/index.ts";
import { askProcess, questionOf } from "../elsewhere/index.ts";
import { pathOf } from "./control-reads.ts";

/** How long the supervisor that leads may take, milliseconds. */
const timeoutMs = 5000;

/** A supervisor that waits. */
export interface Standby {
  /** Who leads, for people: `host a, pid 7`. */
  readonly leader: string;
  /** Asks the supervisor that leads. */
  ask(question: JsonObject, options?: { readonly timeoutMs?: number }): Promise<JsonObject>;
}

/** Paths that are about this process, or about nothing that runs. */
const ownPaths: ReadonlySet<string> = new Set(["/topology/openapi.json"]);

/**
 * Makes the routes of a supervisor that waits from those that it would have: reads are answered by the supervisor that leads, and
 * all else is refused with 503 and who that is.
 *
 * @param routes Those that it would have.
 * @param of.server Name of the topology server, the same at both.
 * @param of.prefix What goes before their paths.
 */
export function standbyRoutes(
  routes: readonly Route[],
  of: { readonly standby: Standby; readonly server: string; readonly prefix: string },
): Route[] {
  return routes.map((route) => {
    const path = route.path.slice(of.prefix.length);
    if (ownPaths.has(path)) return route;
    return { ...route, handle: async (request) => await answer(route, request, of) };
  });
}

async function answer(
  { method, path }: Route,
  request: GatewayRequest,
  { standby, server, prefix }: Parameters<typeof standbyRoutes>[1],
): Promise<GatewayResponse> {
  const shown = path.slice(prefix.length);
  const { leader } = standby;
  // It lives, and is not ready: nothing but the control plane is served here.
  if (shown === "/health") return { status: 200, body: { status: "ok", leader } };
  if (shown === "/ready") return refusal({ status: "not_ready", leader });
  const waits = `this supervisor waits: the one on ${leader} leads`;
  if (method !== "GET") return refusal({ error: `${waits}, and changes things`, leader });
  try {
    const others = { ask: async (_: string, ...asked: Asked) => await standby.ask(...asked) };
    const question = questionOf(`GET ${pathOf(server, shown)}`, request);
    const found = await askProcess({ others, process: "leader", timeoutMs }, question);
    // It has no topology server of that name.
    return found.status === 501 ? errorResponse(503, `${waits}, and has no such route`) : found;
  } catch {
    return refusal({ error: `${waits}, and does not answer`, leader });
  }
}

type Asked = Parameters<Standby["ask"]>;

function refusal(body: JsonObject): GatewayResponse {
  return { status: 503, body, headers: { "retry-after": "3" } };
}
