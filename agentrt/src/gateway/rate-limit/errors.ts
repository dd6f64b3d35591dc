import { defineErrors } from "../../core/index.ts";

/** Errors of setting up a rate limiter. */
export const rateLimitErrors = defineErrors("AGENTRT_RATE_LIMIT", {
  CONFIG_INVALID: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { agent: string; key: string; found: string; wanted: string }) =>
      `Cannot start rate limiter "${d.agent}": config.${d.key} is ${d.found}, wanted ${d.wanted}`,
    remedy: "Correct the config of the node, for example { max_requests: 100, window_seconds: 60 }",
  },
});
