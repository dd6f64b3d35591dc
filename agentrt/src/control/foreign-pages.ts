import { errorResponse, type GatewayRequest, type Handler } from "../gateway/index.ts";

const refusal = errorResponse(403, "a page of another site may not change anything here");

/** What a browser never adds by itself. */
const credentialHeaders = ["x-api-key", "authorization"] as const;

/**
 * Lets no page of another site change anything with what a browser shows by itself: a client certificate, or its place in the
 * network. Browsers say in `Sec-Fetch-Site` whose page it is; programs that are not browsers say nothing.
 *
 * @param handler Changes something.
 * @param allowed Origins whose pages may; `*` for all.
 * @returns A handler that answers 403 to the pages of others, unless they send a key or a token.
 */
export function refuseForeignPages(handler: Handler, allowed: readonly string[]): Handler {
  if (allowed.includes("*")) return handler;
  const origins = new Set(allowed.map((origin) => origin.toLowerCase()));
  const isForeign = ({ headers }: GatewayRequest): boolean => {
    const site = headers["sec-fetch-site"];
    // Over HTTP a browser says it to this machine only; the origin of what changes something it says to all.
    const isOther =
      site === undefined ? isOtherOrigin(headers) : site === "cross-site" || site === "same-site";
    if (!isOther) return false;
    if (credentialHeaders.some((name) => headers[name] !== undefined)) return false;
    return !origins.has(headers["origin"]?.toLowerCase() ?? "");
  };
  return async (request) => (isForeign(request) ? refusal : await handler(request));
}

function isOtherOrigin({ origin, host }: GatewayRequest["headers"]): boolean {
  if (origin === undefined || host === undefined) return false;
  return origin.toLowerCase().replace(/^https?:\/\//, "") !== host.toLowerCase();
}
