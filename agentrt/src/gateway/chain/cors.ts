import type { CorsOptions } from "../../gateway-settings/index.ts";
import type { GatewayResponse, StringMap } from "../request.ts";

/** What a gateway says to browsers about pages of other origins, by the Fetch standard. */
export interface Cors {
  /**
   * @param headers Of a request.
   * @returns Names, lower-case, and values in turn that its response carries, whatever its status.
   */
  headersFor(headers: StringMap): readonly string[];
  /**
   * @param headers Of a request with OPTIONS.
   * @param methods Those of the routes of its path; none for a path without routes.
   * @returns The answer to a preflight of an origin that is listed; `undefined` for any other request.
   */
  preflight(headers: StringMap, methods: readonly string[]): GatewayResponse | undefined;
}

const maxAgeSecondsDefault = 600;
/** What the gateway itself reads. */
const headersDefault = [
  "authorization",
  "content-type",
  "last-event-id",
  "traceparent",
  "tracestate",
  "x-agentrt-stream",
  "x-agentrt-type",
  "x-api-key",
  "x-request-id",
];

/**
 * Makes the answers to browsers.
 *
 * @param options Without faults.
 */
export function createCors(options: CorsOptions): Cors {
  const { origins, exposedHeaders = [], hasCredentials = false } = options;
  const isOpen = origins.includes("*");
  const listed = new Set(origins.map((origin) => origin.toLowerCase()));
  // A cache must not hand the answer for one origin to another, nor that for none.
  const vary = isOpen ? [] : ["vary", "origin"];
  const constant = [
    ...(hasCredentials ? ["access-control-allow-credentials", "true"] : []),
    ...(exposedHeaders.length === 0
      ? []
      : ["access-control-expose-headers", exposedHeaders.join(", ")]),
  ];
  const isListed = ({ origin }: StringMap): boolean =>
    origin !== undefined && (isOpen || listed.has(origin.toLowerCase()));
  return {
    headersFor: (headers) =>
      isListed(headers)
        ? [
            ...vary,
            "access-control-allow-origin",
            isOpen ? "*" : (headers["origin"] ?? ""),
            ...constant,
          ]
        : vary,
    preflight: (headers, methods) =>
      headers["access-control-request-method"] !== undefined && isListed(headers)
        ? preflightResponse(options, methods)
        : undefined,
  };
}

function preflightResponse(
  { methods, headers = headersDefault, maxAgeSeconds = maxAgeSecondsDefault }: CorsOptions,
  ofPath: readonly string[],
): GatewayResponse {
  return {
    status: 204,
    body: undefined,
    headers: {
      "access-control-allow-methods": (methods ?? ofPath).join(", ").toUpperCase(),
      "access-control-allow-headers": headers.join(", "),
      "access-control-max-age": `${maxAgeSeconds}`,
    },
  };
}
