import type { SecurityHeaders } from "../../gateway-settings/index.ts";

/** What every response has. Replies are JSON: no browser is to guess that they are something else. */
const defaults: { readonly [name: string]: string } = { "x-content-type-options": "nosniff" };
const transportSecurity = "strict-transport-security";

/**
 * Makes the security headers of every response.
 *
 * @param wanted The setting; default on.
 * @param how.isTls `Strict-Transport-Security` is sent over TLS only (RFC 6797 section 7.2).
 * @returns Names, lower-case, and values in turn.
 */
export function securityHeaderList(
  wanted: SecurityHeaders | undefined,
  { isTls }: { readonly isTls: boolean },
): string[] {
  if (wanted === false) return [];
  const own = typeof wanted === "object" ? wanted : {};
  const lowered = Object.entries(own).map(([name, value]) => [name.toLowerCase(), value] as const);
  const all = new Map<string, string | false>([...Object.entries(defaults), ...lowered]);
  if (!isTls) all.delete(transportSecurity);
  return [...all].flatMap(([name, value]) => (value === false ? [] : [name, value]));
}
