import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** Why a request is not served. */
export interface Refusal {
  readonly status: 401 | 403 | 404;
  readonly reason: string;
}

/** What a request must have. */
export interface RequestCheck {
  readonly port: number;
  readonly token: string;
}

const loopbackNames = ["127.0.0.1", "localhost", "[::1]"] as const;

/**
 * Says why a request is not served. A page of a browser may be led here by a name that somebody else has given this
 * machine (DNS rebinding): the name and the page's origin must be of this machine.
 *
 * @returns Undefined for one that is served.
 */
export function refusalOf(
  { url = "", headers }: Pick<IncomingMessage, "headers" | "url">,
  { port, token }: RequestCheck,
): Refusal | undefined {
  const hosts = loopbackNames.flatMap((name) => [
    `${name}:${port}`,
    ...(port === 80 ? [name] : []),
  ]);
  const { host = "", origin, authorization = "" } = headers;
  if (!hosts.includes(host.toLowerCase()))
    return { status: 403, reason: "it is not asked for by a name of this machine" };
  const isOwnOrigin = hosts.some((each) => origin === `http://${each}`);
  if (origin !== undefined && !isOwnOrigin)
    return { status: 403, reason: "pages of other origins are not served" };
  const [path] = url.split("?", 1);
  if (path !== "/mcp") return { status: 404, reason: "the endpoint is /mcp" };
  const given = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  if (given === undefined || !isSame(given, token))
    return { status: 401, reason: "the token of this server is wanted: Authorization: Bearer …" };
  return undefined;
}

/** Takes as long for every token. */
function isSame(given: string, token: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}
