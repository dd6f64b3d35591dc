import type { StringMap } from "../../request.ts";
import { Http3Fault } from "../fault.ts";

/** Method, target and headers of a request, checked as RFC 9114 §4.2 and §4.3 want. */
export interface RequestHead {
  readonly method: string;
  readonly target: string;
  /** Lower-case names; `host` is the authority. */
  readonly headers: StringMap;
  /** True when `host` and `:authority` say different things, or neither is there. */
  readonly isAuthorityUnclear: boolean;
  /** What `content-length` promises; `undefined` when it is absent. */
  readonly contentLength: number | undefined;
}

// Instances inherit nothing, as with a null prototype, and V8 keeps them as fast as ordinary objects.
const Headers = function Headers() {} as unknown as new () => { [name: string]: string };
Headers.prototype = Object.create(null);

type Lines = readonly (readonly [name: string, value: string])[];

/**
 * Makes the head of a request of its field lines.
 *
 * @param lines In the order in which they came.
 * @returns The head.
 * @throws Http3Fault MESSAGE_ERROR of the one stream.
 */
export function readRequestHead(lines: Lines): RequestHead {
  const headers = new Headers();
  const pseudo = new Map<string, string>();
  let isBehindPseudo = false;
  for (const [name, value] of lines) {
    if (name.charCodeAt(0) !== colon) {
      isBehindPseudo = true;
      addField(headers, name, value);
      continue;
    }
    if (isBehindPseudo || pseudo.has(name) || !pseudoNames.has(name)) {
      throw malformed("a pseudo-header that does not belong there");
    }
    if (!valuePattern.test(value)) throw malformed("a pseudo-header with a forbidden character");
    pseudo.set(name, value);
  }
  const method = pseudo.get(":method") ?? "";
  const authority = pseudo.get(":authority");
  const isConnect = method === "CONNECT";
  if (isConnect && authority === undefined) throw malformed("CONNECT without an authority");
  const target = isConnect ? authority : pseudo.get(":path");
  if (!tokenPattern.test(method)) throw malformed("no method");
  if (target === undefined || target === "") throw malformed("no path");
  if (pseudo.has(":scheme") === isConnect) throw malformed("no scheme, or one too many");
  const ownHost = headers["host"];
  const host = authority ?? ownHost;
  if (host !== undefined) headers["host"] = host;
  return {
    method,
    target,
    headers,
    isAuthorityUnclear: !host || (ownHost !== undefined && ownHost !== host),
    contentLength: contentLengthOf(headers["content-length"]),
  };
}

/**
 * Checks trailers, of which nothing is used.
 *
 * @throws Http3Fault MESSAGE_ERROR of the one stream.
 */
export function refuseTrailers(lines: Lines): void {
  const headers = new Headers();
  for (const [name, value] of lines) addField(headers, name, value);
}

function addField(headers: { [name: string]: string }, name: string, value: string): void {
  if (!namePattern.test(name)) throw malformed("a name with a forbidden character");
  if (!valuePattern.test(value)) throw malformed(`${name} with a forbidden character`);
  if (connectionNames.has(name) || (name === "te" && value.toLowerCase() !== "trailers")) {
    throw malformed(`${name}, which belongs to HTTP/1.1`);
  }
  const present = headers[name];
  if (present === undefined) headers[name] = value;
  else if (name === "content-length" && present !== value) throw malformed("two content-lengths");
  else if (name === "cookie") headers[name] = `${present}; ${value}`;
  else if (!singleNames.has(name)) headers[name] = `${present}, ${value}`;
}

function contentLengthOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw malformed("a content-length that is not a number");
  return Number(text);
}

function malformed(reason: string): Http3Fault {
  return new Http3Fault("MESSAGE_ERROR", `a request with ${reason}`, "stream");
}

const colon = 58;
const pseudoNames = new Set([":method", ":scheme", ":authority", ":path"]);
const tokenPattern = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const namePattern = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/;
/** No control characters but the tab, and no space around. */
const valuePattern = /^(?:[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?$/;
const connectionNames = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "upgrade",
]);
// Of these Node's other listeners keep the first, and so do we. Of `authorization` too, but a proxy may have looked at
// another one: joined, as HTTP/1.1 gives them, they are no credential.
const singleNames = new Set([
  "age",
  "content-length",
  "content-type",
  "etag",
  "expires",
  "from",
  "host",
  "if-modified-since",
  "if-unmodified-since",
  "last-modified",
  "location",
  "max-forwards",
  "proxy-authorization",
  "referer",
  "retry-after",
  "server",
  "user-agent",
]);
