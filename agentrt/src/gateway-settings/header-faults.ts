/** Headers that browsers heed: on, off, or values by name; `false` leaves out a default. */
export type SecurityHeaders = boolean | { readonly [name: string]: string | false };

/** A header of a setting that cannot be sent. */
export interface HeaderFault {
  /** Its name, as it was given. */
  readonly name: string;
  readonly reason: string;
}

const namePattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
// Nothing that ends a line, and nothing outside of Latin-1: the value goes into a header as it is.
const valuePattern = /^[\t\x20-\x7e\xa0-\xff]+$/;

/** What a message is made of, and how the connection goes on: the gateway writes these itself. RFC 9110, RFC 9112. */
const framingNames: ReadonlySet<string> = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "date",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/**
 * Says why a header may not be added to every response; undefined when it may.
 *
 * @param name For example `X-Request-Id`.
 */
export function headerNameFault(name: string): string | undefined {
  if (!namePattern.test(name)) return "is not the name of a header";
  const isFraming = framingNames.has(name.toLowerCase());
  return isFraming ? "is a header that the gateway writes itself" : undefined;
}

/**
 * Finds security headers that cannot be sent.
 *
 * @param headers The setting.
 */
export function securityHeaderFaults(headers: SecurityHeaders): HeaderFault[] {
  if (typeof headers === "boolean") return [];
  return Object.entries(headers).flatMap(([name, value]) => {
    const fault = headerNameFault(name);
    if (fault !== undefined) return [{ name, reason: fault }];
    const isSendable = value === false || valuePattern.test(value);
    return isSendable ? [] : [{ name, reason: "has a value that no header can have" }];
  });
}
