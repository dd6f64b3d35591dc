import type { AuditEvent, JsonObject } from "../core/index.ts";
import {
  type GatewayRequest,
  type GatewayResponse,
  principalOf,
  type Route,
} from "../gateway/index.ts";
import { type CookiePlace, sessionCookie, sessionIds } from "./cookies.ts";
import { byCookieHeader, csrfHeader, csrfRefusal, namingHeader } from "./session-middleware.ts";
import { type ConsoleSessions, isSameText, type Session } from "./sessions.ts";

/** What the routes about the session need. */
export interface SessionRoutesOptions extends CookiePlace {
  /** False where a browser may come without a key: by a certificate, or because nobody is asked. */
  readonly needsKey: boolean;
  readonly sessions: ConsoleSessions;
  /** What the client may do, behind authentication; undefined for all. */
  readonly scopesOf: (request: GatewayRequest) => readonly string[] | undefined;
  /** Settles when it is written, or was tried without success. */
  readonly record: (event: AuditEvent) => Promise<void>;
}

/** Body of `GET`, `POST` and `DELETE /console/session`. */
interface SessionBody {
  /** Null where nobody is signed in. */
  readonly session: {
    readonly principal: string;
    /** Some of `read`, `operate` and `approve`; null for all. */
    readonly scopes: readonly string[] | null;
    /** What requests that change something name in `x-agentrt-csrf`. */
    readonly csrf_token: string;
    /** When it ends, unless it is used: seconds since the Unix epoch. */
    readonly expires_at: number;
  } | null;
  /** False where a browser may come without a key: by a certificate, or because nobody is asked. */
  readonly needs_key: boolean;
}

const credentialHeaders = ["x-api-key", "authorization"] as const;

/** What proxies and this package say in headers is nothing that a browser signs in with. */
const nameable = /^x-(?!forwarded-|real-ip|agentrt-)[\w-]{1,64}$/;

/**
 * Makes the routes by which a browser signs in and out. A sign-in is behind all authentication: it is sent the credentials as any
 * request is, and answers with a cookie that stands for them.
 *
 * @param options Where sessions are kept, and where records go.
 * @returns `GET`, `POST` and `DELETE /console/session`.
 */
export function sessionRoutes(options: SessionRoutesOptions): Route[] {
  const { prefix, sessions, record, needsKey } = options;
  const path = `${prefix}/console/session`;
  return [
    {
      method: "GET",
      path,
      isUngated: true,
      handle: async (request) => answer(sessions.find(sessionIds(request)), needsKey),
    },
    {
      method: "POST",
      path,
      handle: async (request) => {
        const ids = sessionIds(request);
        const held = request.headers[byCookieHeader] === undefined ? undefined : sessions.find(ids);
        // A cookie opens no further session: who has stolen one would renew it for ever.
        if (held !== undefined && Object.keys(held.credentials).length > 0)
          return answer(held, needsKey);
        const principal = principalOf(request);
        await record(eventOf("console.sign_in", principal, request));
        // Who signs in again has one session, not two.
        sessions.close(ids);
        const { id, session } = sessions.open({
          credentials: credentialsOf(request),
          principal,
          scopes: options.scopesOf(request) ?? null,
          credentialsEndMs: request.auth?.expiresAtMs,
        });
        return { ...answer(session, needsKey), setCookies: [sessionCookie(id, request, options)] };
      },
    },
    {
      method: "DELETE",
      path,
      isUngated: true,
      handle: async (request) => {
        const ids = sessionIds(request);
        const session = sessions.find(ids);
        if (session !== undefined) {
          if (!isSameText(request.headers[csrfHeader] ?? "", session.csrfToken)) return csrfRefusal;
          await record(eventOf("console.sign_out", session.principal, request));
        }
        sessions.close(ids);
        return {
          ...answer(undefined, needsKey),
          setCookies: [sessionCookie(undefined, request, options)],
        };
      },
    },
  ];
}

function credentialsOf({ headers }: Pick<GatewayRequest, "headers">): { [name: string]: string } {
  const found: { [name: string]: string } = {};
  const named = headers[namingHeader]?.toLowerCase() ?? "";
  for (const name of [...credentialHeaders, ...(nameable.test(named) ? [named] : [])]) {
    const value = headers[name];
    if (value !== undefined) found[name] = value;
  }
  return found;
}

function eventOf(
  event: string,
  principal: string,
  { clientIp, requestId }: Pick<GatewayRequest, "clientIp" | "requestId">,
): AuditEvent {
  const details = { initiated_by: principal, client: clientIp, request_id: requestId };
  return { event, agent: null, details };
}

function answer(session: Session | undefined, needsKey: boolean): GatewayResponse {
  const body: SessionBody = {
    needs_key: needsKey,
    session:
      session === undefined
        ? null
        : {
            principal: session.principal,
            scopes: session.scopes,
            csrf_token: session.csrfToken,
            expires_at: session.expiresAtMs / 1000,
          },
  };
  return {
    status: 200,
    body: body as unknown as JsonObject,
    headers: { "cache-control": "no-store" },
  };
}
