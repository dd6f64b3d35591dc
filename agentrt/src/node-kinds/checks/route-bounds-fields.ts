import { z } from "zod";
import {
  isClientKeyKind,
  keyWanted,
  type RouteBounds,
  type RouteLimitRule,
} from "../../gateway-settings/index.ts";
import { fields } from "../../topology/index.ts";

const { mapping, seconds, textLike, wholeMilliseconds, wholeNumber } = fields;

const secondsOfWord = { second: 1, minute: 60, hour: 3_600, day: 86_400 } as const;
const perWanted = "seconds from 0.001 to 86400, or second, minute, hour or day";

/** How many requests of a client a route takes. */
export const rateLimitField = () =>
  mapping({
    requests: wholeNumber({ min: 1, max: 1_000_000 }),
    per: z
      .union([z.number().min(0.001).max(86_400), z.enum(["second", "minute", "hour", "day"])], {
        error: perWanted,
      })
      .default("minute"),
    key: textLike(/^(?:address|forwarded_address|api_key|principal|claim:.+)$/, keyWanted).default(
      "address",
    ),
  });

/** What bounds the requests of one route. */
export const routeBoundsFields = {
  request_timeout: seconds({ isZeroAllowed: false }).optional(),
  max_body_size: wholeNumber({ min: 1, max: 1_073_741_824 }).optional(),
  rate_limit: rateLimitField().optional(),
};

/**
 * Makes options of the keys.
 *
 * @param given As the schema gives them.
 */
export function routeBounds(given: z.output<z.ZodObject<typeof routeBoundsFields>>): RouteBounds {
  const { request_timeout: timeout, max_body_size: bodySizeBytesMax, rate_limit: limit } = given;
  return {
    ...(timeout === undefined ? {} : { requestTimeoutMs: wholeMilliseconds(timeout) }),
    ...(bodySizeBytesMax === undefined ? {} : { bodySizeBytesMax }),
    ...(limit === undefined ? {} : { rateLimit: routeLimit(limit) }),
  };
}

/** The same for a limit only, as WebSocket routes have it. */
export function routeLimit({
  requests,
  per,
  key,
}: z.output<ReturnType<typeof rateLimitField>>): RouteLimitRule {
  const windowMs = (typeof per === "number" ? per : secondsOfWord[per]) * 1_000;
  return {
    requestCountMax: requests,
    windowMs: Math.max(1, windowMs),
    key: isClientKeyKind(key) ? key : "address",
  };
}
