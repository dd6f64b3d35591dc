import type { builtInClassNames } from "../gateway-settings/index.ts";
import { RateLimiter } from "../gateway/index.ts";

/** The classes of this package by the dotted names that are in a topology. */
export const builtInClasses: {
  readonly [type in (typeof builtInClassNames)[number]]: unknown;
} = {
  "agentrt.gateway.ratelimit.RateLimiter": RateLimiter,
};
