import { errorResponse, type Middleware } from "../gateway/index.ts";
import { sessionIds } from "./cookies.ts";
import { type ConsoleSessions, isSameText } from "./sessions.ts";

/** What requests of a session that change something have to carry. */
export const csrfHeader = "x-agentrt-csrf";

/** Says to the routes of the session that the credentials of a request are those of its cookie. */
export const byCookieHeader = "x-agentrt-by-cookie";

/** Names one more header of the sign-in that holds credentials, for a middleware that reads a header of its own kind. */
export const namingHeader = "x-agentrt-credential-header";

/** The answer to one that does not. */
export const csrfRefusal = errorResponse(
  403,
  `the header ${csrfHeader} must name the token of the session`,
);

const credentialHeaders = ["x-api-key", "authorization", namingHeader];
const readingMethods: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/**
 * Makes what takes a session's cookie for the credentials that it was opened with. It is in front of all authentication, which
 * judges these credentials as if the client had sent them: a key that was withdrawn, and a token that is over, let
 * nobody in. A request that has credentials besides is left as it is, and its cookie counts for nothing.
 *
 * @param sessions Those of the console.
 * @returns Answers 401 to a write of a session that is over, and 403 to one that does not name the session's token.
 */
export function sessionMiddleware(sessions: ConsoleSessions): Middleware {
  return async (request, next) => {
    const { headers, method } = request;
    const ids = sessionIds(request);
    const hasOwn = credentialHeaders.some((name) => headers[name] !== undefined);
    if (ids.length === 0 || hasOwn) return await next(request);
    const session = sessions.find(ids);
    const isWrite = !readingMethods.has(method);
    // It may be that of another console, or of an earlier run; a page that still shows one has to sign in.
    if (session === undefined) {
      const isOfConsole = isWrite && headers[csrfHeader] !== undefined;
      return isOfConsole ? errorResponse(401, "the session is over: sign in") : await next(request);
    }
    if (isWrite && !isSameText(headers[csrfHeader] ?? "", session.csrfToken)) return csrfRefusal;
    const byCookie = { ...session.credentials, [byCookieHeader]: "yes" };
    const response = await next({ ...request, headers: { ...headers, ...byCookie } });
    const { stream } = response;
    return stream === undefined
      ? response
      : { ...response, stream: sessions.bound(session, stream) };
  };
}
