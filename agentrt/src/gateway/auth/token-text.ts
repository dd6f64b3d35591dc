/** What of a token's header decides about its verification. Everything else in it is ignored, URLs of keys included. */
export interface TokenHeader {
  readonly algorithm: string;
  /** Which key of a set signed it; never a path, a query or a URL. */
  readonly keyId: string | undefined;
}

/** Longest token that is looked at, in characters. */
export const tokenLengthMax = 8192;
const compactPattern = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const fatalUtf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads the header of a token in compact form, and refuses what no honest issuer writes: more than 8 192 characters,
 * text that is not base64url in its one form, names that occur twice in one object, and critical extensions (there is none that this
 * gateway understands). Nothing is verified here.
 *
 * @param token The text behind `Bearer`.
 * @returns The header, or `undefined` for a token to be refused.
 */
export function readTokenHeader(token: string): TokenHeader | undefined {
  if (token.length > tokenLengthMax || !compactPattern.test(token)) return undefined;
  const parts = token.split(".");
  if (!parts.every(isCanonical)) return undefined;
  const [headerPart = "", payloadPart = ""] = parts;
  const header = parseObject(headerPart);
  if (header === undefined || parseObject(payloadPart) === undefined) return undefined;
  const { alg, kid } = header;
  if (Object.hasOwn(header, "crit") || typeof alg !== "string") return undefined;
  if (kid !== undefined && typeof kid !== "string") return undefined;
  return { algorithm: alg, keyId: kid };
}

/** Several texts may hold the same bytes, by bits that nothing looks at: of one token there is one text. */
function isCanonical(part: string): boolean {
  return Buffer.from(part, "base64url").toString("base64url") === part;
}

function parseObject(part: string): { readonly [name: string]: unknown } | undefined {
  try {
    const text = fatalUtf8.decode(Buffer.from(part, "base64url"));
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    return hasRepeatedNames(text) ? undefined : (value as { readonly [name: string]: unknown });
  } catch {
    return undefined; // Neither UTF-8 nor JSON: a token to be refused as any other.
  }
}

/** Of two members with one name, two readers may believe different ones. */
function hasRepeatedNames(json: string): boolean {
  const open: (Set<string> | undefined)[] = [];
  for (const [token, colon] of json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/g)) {
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(undefined);
    else if (token === "}" || token === "]") open.pop();
    else if (colon !== undefined) {
      const name = JSON.parse(token.slice(0, token.lastIndexOf('"') + 1)) as string;
      const names = open.at(-1);
      if (names?.has(name) === true) return true;
      names?.add(name);
    }
  }
  return false;
}
