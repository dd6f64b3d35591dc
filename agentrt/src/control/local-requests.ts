import { errorResponse, type Handler, hostOfAuthority, isLoopbackHost } from "../gateway/index.ts";

/**
 * Lets a handler serve only requests that name this machine. A web page in a browser on this machine can send
 * requests to a loopback port, under its own name that resolves to 127.0.0.1 (DNS rebinding) or from its own
 * origin; both give themselves away in `Host` and `Origin`.
 *
 * @param handler Serves the requests that are let through.
 * @returns A handler that answers 403 to the others.
 */
export function onlyLocalRequests(handler: Handler): Handler {
  return async (request) => {
    const { authority } = request;
    const host = authority === undefined ? undefined : hostOfAuthority(authority);
    if (host === undefined || !isLoopbackHost(host)) {
      return errorResponse(403, "host is not allowed on a loopback port");
    }
    const origin = request.headers["origin"];
    if (origin !== undefined && !isSameOrigin(origin, authority ?? "")) {
      return errorResponse(403, "origin is not allowed on a loopback port");
    }
    return await handler(request);
  };
}

function isSameOrigin(origin: string, authority: string): boolean {
  const match = /^https?:\/\/([^/?#@]+)$/i.exec(origin);
  return match?.[1]?.toLowerCase() === authority.toLowerCase();
}
