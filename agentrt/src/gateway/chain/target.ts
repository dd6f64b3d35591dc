/** A parsed request target; nothing in it is decoded yet. */
export interface RequestTarget {
  /** Path with its leading slash, without the query. */
  readonly path: string;
  /** What follows the first `?`; empty when there is none. */
  readonly query: string;
  /** Authority of an absolute-form target, which then outranks the `Host` header (RFC 9112 section 3.2.2). */
  readonly authority: string | undefined;
}

const absoluteForm = /^https?:\/\/([^/?#@]+)(?=[/?]|$)/i;
// Anything outside visible ASCII, and a fragment, has no place in a request target.
const forbidden = /[^\x21-\x7e]|#/;

/**
 * Parses a request target. Origin form and absolute form are understood; the path is never normalised, so
 * that a proxy in front and this gateway cannot see two different paths.
 *
 * @param target As it was on the request line.
 * @returns The parts, or `undefined` when it is neither form.
 */
export function parseTarget(target: string): RequestTarget | undefined {
  if (forbidden.test(target)) return undefined;
  let authority: string | undefined;
  let rest = target;
  if (!target.startsWith("/")) {
    const match = absoluteForm.exec(target);
    if (match === null) return undefined;
    authority = match[1];
    rest = target.slice(match[0].length);
    if (!rest.startsWith("/")) rest = `/${rest}`;
  }
  const queryStart = rest.indexOf("?");
  return queryStart === -1
    ? { path: rest, query: "", authority }
    : { path: rest.slice(0, queryStart), query: rest.slice(queryStart + 1), authority };
}

/**
 * Splits a path into decoded segments. One leading and one trailing slash are not segments. Each segment is decoded
 * on its own, so an encoded slash stays inside its segment.
 *
 * @param path Begins with a slash.
 * @returns The segments, or `undefined` when a percent sequence is malformed or a segment is `.` or `..`.
 */
export function splitPath(path: string): string[] | undefined {
  const end = path.length > 1 && path.endsWith("/") ? path.length - 1 : path.length;
  if (end <= 1) return [];
  const segments = path.slice(1, end).split("/");
  if (!path.includes("%") && !path.includes("/.")) return segments;
  for (let index = 0; index < segments.length; index += 1) {
    const segment = decodeSegment(segments[index] ?? "");
    if (segment === undefined || segment === "." || segment === "..") return undefined;
    segments[index] = segment;
  }
  return segments;
}

function decodeSegment(segment: string): string | undefined {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined; // A malformed percent sequence, or bytes that are not UTF-8.
  }
}

const noParams: { readonly [name: string]: string } = Object.freeze(
  Object.create(null) as { [name: string]: string },
);

/**
 * Parses a query string as browsers write it: `+` is a space, of a repeated name the last value stays.
 *
 * @param query Without the leading `?`.
 * @returns An object without prototype.
 */
export function parseQuery(query: string): { readonly [name: string]: string } {
  if (query === "") return noParams;
  const params = Object.create(null) as { [name: string]: string };
  for (const [name, value] of new URLSearchParams(query)) params[name] = value;
  return params;
}
