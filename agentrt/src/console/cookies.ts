import type { GatewayRequest } from "../gateway/index.ts";

/** Where the cookie of a console counts. */
export interface CookiePlace {
  /** What goes before every path of the control plane; empty for nothing. */
  readonly prefix: string;
  /** True where the port speaks TLS. */
  readonly isTls: boolean;
}

type Asked = Pick<GatewayRequest, "authority" | "headers">;

/**
 * Names the cookie. Cookies do not tell ports apart, so the port is in the name: two control planes of one machine have
 * two cookies.
 */
function nameOf(authority: string | undefined): string {
  const port = /:(\d{1,5})$/.exec(authority ?? "")?.[1];
  return port === undefined ? "agentrt_session" : `agentrt_session_${port}`;
}

/** @returns What cookies of the name of a console's session hold: one, or more where paths of several consoles fit. */
export function sessionIds({ authority, headers }: Asked): string[] {
  const name = nameOf(authority);
  return (headers["cookie"] ?? "").split(";").flatMap((pair) => {
    const at = pair.indexOf("=");
    return pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : [];
  });
}

/**
 * Makes the `set-cookie` of a session. A script cannot read it, no page of another site has it sent, and where the browser came by
 * TLS it is never sent without.
 *
 * @param id Of the session; undefined to have the browser forget it.
 */
export function sessionCookie(
  id: string | undefined,
  request: Asked,
  { prefix, isTls }: CookiePlace,
): string {
  const isSecure = isTls || request.headers["origin"]?.startsWith("https:") === true;
  const parts = [
    `${nameOf(request.authority)}=${id ?? ""}`,
    `Path=${prefix === "" ? "/" : prefix}`,
    "HttpOnly",
    "SameSite=Strict",
    ...(isSecure ? ["Secure"] : []),
    ...(id === undefined ? ["Max-Age=0"] : []),
  ];
  return parts.join("; ");
}
