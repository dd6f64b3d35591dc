import { z } from "zod";
import {
  corsFaults,
  type CorsOptions,
  headerNameFault,
  type SecurityHeaders,
  securityHeaderFaults,
} from "../../gateway-settings/index.ts";
import { fields, type KeyDescriptions, type NodeFinding } from "../../topology/index.ts";

const { flag, list, mapping, oneOf, textLike, wholeNumber } = fields;

const headerName = () => textLike(/^[!#$%&'+.^_`|~0-9A-Za-z-]+$/, "the name of a header");
const headerNames = () => list(headerName(), "a list of names of headers");

/** An origin, or all. */
export const origin = () =>
  textLike(/^(?:\*|https?:\/\/[^\s/?#@]+)$/i, "* or an origin such as https://app.example.com");

/** What requests bring and responses carry, whatever their route. */
export const edgeFields = {
  cors: mapping({
    origins: list(origin(), "a list of origins"),
    methods: list(textLike(/^[A-Za-z]+$/, "a method"), "a list of methods").optional(),
    headers: headerNames().optional(),
    exposed_headers: headerNames().optional(),
    credentials: flag().default(false),
    max_age: wholeNumber({ min: 0, max: 86_400 }).default(600),
  }).nullish(),
  security_headers: z
    .union([z.boolean(), z.record(z.string(), z.union([z.string(), z.literal(false)]))], {
      error: "true, false, or a mapping from headers to values, where false leaves one out",
    })
    .default(true),
  access_log: z
    .union(
      [
        z.boolean(),
        mapping({
          path: textLike(/./, "a path").optional(),
          format: oneOf(["json", "combined"], "lower").default("json"),
        }),
      ],
      { error: "true, false, or a mapping of path and format (json or combined)" },
    )
    .default(false),
  request_id: mapping({
    header: headerName().default("x-request-id"),
    trust: oneOf(["proxies", "all", "none"], "lower").default("proxies"),
  }).nullish(),
  forwarded_header: oneOf(["x-forwarded-for", "forwarded"], "lower").default("x-forwarded-for"),
};

/** What the keys may hold. */
type EdgeFields = z.output<z.ZodObject<typeof edgeFields>>;

/** What the keys come to, as options of a gateway. */
export interface EdgeSettings {
  readonly cors: CorsOptions | undefined;
  readonly securityHeaders: SecurityHeaders;
  readonly accessLog:
    | boolean
    | { readonly path?: string | undefined; readonly format: "json" | "combined" };
  readonly requestId:
    | { readonly header: string; readonly trust: "proxies" | "all" | "none" }
    | undefined;
  readonly forwardedHeader: "x-forwarded-for" | "forwarded";
}

/**
 * Makes options of the keys.
 *
 * @param given As the schema gives them.
 */
export function edgeSettings(given: EdgeFields): EdgeSettings {
  const { cors } = given;
  return {
    cors: cors
      ? {
          origins: cors.origins,
          methods: cors.methods,
          headers: cors.headers,
          exposedHeaders: cors.exposed_headers,
          hasCredentials: cors.credentials,
          maxAgeSeconds: cors.max_age,
        }
      : undefined,
    securityHeaders: given.security_headers,
    accessLog: given.access_log,
    requestId: given.request_id ?? undefined,
    forwardedHeader: given.forwarded_header,
  };
}

/**
 * Checks the keys against each other, and against those of the listener.
 *
 * @param settings Of a gateway.
 */
export function* checkEdge(
  settings: EdgeSettings & { readonly certs: { readonly tls: object | undefined } },
): Generator<NodeFinding> {
  const { cors, securityHeaders, certs, requestId } = settings;
  for (const { key, reason } of cors === undefined ? [] : corsFaults(cors))
    yield { path: ["cors", key], message: `${key} ${reason}` };
  for (const { name, reason } of securityHeaderFaults(securityHeaders))
    yield { path: ["security_headers", name], message: `"${name}" ${reason}` };
  const idFault = headerNameFault(requestId?.header ?? "x");
  if (idFault !== undefined) yield { path: ["request_id", "header"], message: idFault };
  if (typeof securityHeaders === "boolean" || certs.tls !== undefined) return;
  for (const name of Object.keys(securityHeaders)) {
    if (name.toLowerCase() !== "strict-transport-security") continue;
    const message = "this has no effect without TLS: set tls_cert and tls_key";
    yield { path: ["security_headers", name], isNote: true, message };
  }
}

/** What each key is for. */
export const edgeKeys: KeyDescriptions = {
  cors: "Which pages of other origins may read the answers; without it none.",
  "cors.origins": "Their origins; * for every page.",
  "cors.methods": "Methods that their scripts may use; by default those of the path's routes.",
  "cors.headers":
    "Headers that their scripts may set; by default those that the gateway itself reads.",
  "cors.exposed_headers": "Headers that their scripts may read, in addition to those that all may.",
  "cors.credentials": "Whether cookies and certificates of the browser come along; not with *.",
  "cors.max_age": "Seconds that a browser may keep the answer to its preflight.",
  security_headers:
    "Headers that browsers heed, on every response: true for X-Content-Type-Options, false for none, or values by name.",
  access_log:
    "One line for each request: true for JSON on standard output, or a file and a format.",
  "access_log.path":
    "File that lines are added to, made with mode 0600; by default standard output.",
  "access_log.format": "json: an object a line; combined: as Apache and nginx write it.",
  request_id:
    "The id of each request: in its response, in the access log, and correlation id of the message.",
  "request_id.header": "Header of the id, in requests and responses.",
  "request_id.trust":
    "Whose ids are taken over: those of trusted_proxy_cidrs, of all clients, or of none.",
  forwarded_header: "Header in which the proxies of trusted_proxy_cidrs name their client.",
};
