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

/**
 * Says whether text may be the name of a header.
 *
 * @param name For example `X-Request-Id`.
 */
export function isHeaderName(name: string): boolean {
  return namePattern.test(name);
}

/**
 * Finds security headers that cannot be sent.
 *
 * @param headers The setting.
 */
export function securityHeaderFaults(headers: SecurityHeaders): HeaderFault[] {
  if (typeof headers === "boolean") return [];
  return Object.entries(headers).flatMap(([name, value]) => {
    if (!isHeaderName(name)) return [{ name, reason: "is not the name of a header" }];
    const isSendable = value === false || valuePattern.test(value);
    return isSendable ? [] : [{ name, reason: "has a value that no header can have" }];
  });
}
