// RFC 3986 section 3.2: a name or an address, and perhaps a port; no user, which HTTP does not know.
const authorityPattern = /^(?:\[[0-9a-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[0-9a-f]{2})*)(?::\d{0,5})?$/i;

/** True for what may be in the header `Host`; empty where the request has no authority. */
export function isAuthority(text: string): boolean {
  return authorityPattern.test(text);
}
