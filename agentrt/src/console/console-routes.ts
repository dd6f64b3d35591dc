import type { AuditEvent } from "../core/index.ts";
import type { GatewayRequest, Middleware, Route } from "../gateway/index.ts";
import { pageRoutes } from "./page.ts";
import { sessionMiddleware } from "./session-middleware.ts";
import { sessionRoutes } from "./session-routes.ts";
import { ConsoleSessions } from "./sessions.ts";

/** What a console is made of. */
export interface ConsoleOptions {
  /** Name of the topology server. */
  readonly server: string;
  /** What goes before every path of the control plane; empty for nothing. */
  readonly prefix: string;
  /** True where the port speaks TLS. */
  readonly isTls: boolean;
  /** False where a browser may come without a key: by a certificate, or because nobody is asked. */
  readonly needsKey: boolean;
  /** The wall clock, milliseconds since the Unix epoch. */
  readonly nowMs: () => number;
  /** What the client may do, behind authentication; undefined for all. */
  readonly scopesOf: (request: GatewayRequest) => readonly string[] | undefined;
  /** Settles when it is written, or was tried without success. */
  readonly record: (event: AuditEvent) => Promise<void>;
}

/**
 * Makes the console of a control plane.
 *
 * @param options Whose it is.
 * @returns Its routes; and what goes in front of the authentication of these and of all other routes of the control plane, so that
 *   a session counts there.
 */
export function consoleRoutes(options: ConsoleOptions): {
  readonly routes: readonly Route[];
  readonly ahead: Middleware;
} {
  const { server, prefix, nowMs } = options;
  const sessions = new ConsoleSessions(nowMs);
  return {
    routes: [...pageRoutes(prefix, server), ...sessionRoutes({ ...options, sessions })],
    ahead: sessionMiddleware(sessions),
  };
}
