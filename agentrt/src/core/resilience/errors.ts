import { defineErrors } from "../values/index.ts";
import type { TargetKind } from "./policies.ts";

/** What messages call the targets. */
const targetWords = {
  model: "model provider",
  agent: "agent",
  tool: "tool server",
} as const satisfies { readonly [Kind in TargetKind]: string };

/** Errors of circuit breakers. */
export const circuitErrors = defineErrors("AGENTRT_CIRCUIT", {
  OPEN: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: {
      kind: TargetKind;
      name: string;
      /** Milliseconds until it is tried again. */
      retryAfterMs: number;
      reason: string;
    }) =>
      `Cannot ask ${targetWords[d.kind]} "${d.name}": its circuit is open, again in ${Math.ceil(d.retryAfterMs / 1000)} s: ${d.reason}`,
    remedy:
      "Wait, or mend what it is about: after `open_for` seconds a few calls try whether it works again",
  },
});
