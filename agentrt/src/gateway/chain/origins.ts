import { hostOfAuthority, isLoopbackHost } from "../../gateway-settings/index.ts";
import { errorResponse, type GatewayResponse, type StringMap } from "../request.ts";

/** Whose pages may send requests. */
export interface OriginPolicy {
  /** Accepted values of `Origin`; `*` accepts all. The gateway's own origin is always accepted. */
  readonly allowed: readonly string[];
  /** Where the gateway is bound. */
  readonly boundHost: string;
}

/**
 * Says whether a page of that origin may open a connection: browsers send `Origin` and let every page open one, so a
 * page elsewhere could use what its reader can reach. Programs that are not browsers send none.
 *
 * @param headers Of the handshake.
 * @param policy Whose pages may.
 * @returns False for the page of somebody else. On a loopback bind the page must come from this machine, whatever the
 *   name in `Host` is: that one can be made to point here.
 */
export function isOriginAllowed(
  headers: { readonly origin?: string | undefined; readonly host?: string | undefined },
  { allowed, boundHost }: OriginPolicy,
): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return true;
  if (allowed.includes("*") || allowed.some((one) => one.toLowerCase() === origin.toLowerCase())) {
    return true;
  }
  if (!URL.canParse(origin)) return false;
  const page = new URL(origin);
  if (isLoopbackHost(boundHost)) return isLoopbackHost(page.hostname);
  return host !== undefined && page.host === new URL(`${page.protocol}//${host}`).host;
}

/** What of a request tells whether a page of another site sent it. */
export interface BrowserRequest {
  /** Upper-case. */
  readonly method: string;
  /** What the client calls this gateway; `undefined` where it says nothing. */
  readonly authority: string | undefined;
  readonly headers: StringMap;
}

/** Refuses requests that a page of another site made a browser send; `undefined` for the others. */
export type CrossSiteGuard = (request: BrowserRequest) => GatewayResponse | undefined;

const foreignHost = errorResponse(
  403,
  "host is not allowed on a loopback port: use localhost, or list its origin in allowed_origins",
);
const foreignOrigin = errorResponse(
  403,
  "origin is not allowed on a loopback port: list it in allowed_origins",
);

/**
 * Makes the guard of a gateway on a loopback address that asks nobody who they are. Being on this machine is all that
 * such a gateway wants of its clients, and a web page in a browser on this machine is there too: it can send requests
 * from its own origin, and under its own name that it makes point to 127.0.0.1 (DNS rebinding). Both give themselves
 * away in `Origin`, `Sec-Fetch-Site` and `Host`. Pages of this machine, on whatever port, may send requests.
 *
 * @param policy.allowed Further origins whose pages may, each of whose host names may be in `Host`; `*` for all.
 */
export function createCrossSiteGuard(policy: OriginPolicy): CrossSiteGuard {
  const { allowed } = policy;
  if (allowed.includes("*")) return () => undefined;
  const hosts = new Set(allowed.map((origin) => new URL(origin).hostname.toLowerCase()));
  // The last that was accepted: nearly every request names the same.
  let knownAuthority: string | undefined;
  return ({ method, authority, headers }) => {
    if (authority !== undefined && authority !== knownAuthority) {
      const host = hostOfAuthority(authority);
      const isKnown = host !== undefined && (isLoopbackHost(host) || hosts.has(host.toLowerCase()));
      if (!isKnown) return foreignHost;
      knownAuthority = authority;
    }
    const { origin } = headers;
    if (origin !== undefined)
      return isOriginAllowed({ origin }, policy) ? undefined : foreignOrigin;
    if (headers["sec-fetch-site"] !== "cross-site") return undefined;
    // Who follows a link from another site sees what it leads to; the other site does not.
    const isLink = method === "GET" && headers["sec-fetch-mode"] === "navigate";
    return isLink && headers["sec-fetch-dest"] === "document" ? undefined : foreignOrigin;
  };
}
