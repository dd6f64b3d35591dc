import { defineErrors } from "../core/index.ts";

/** Errors of processes of which one leads. */
export const leadershipErrors = defineErrors("AGENTRT_LEADER", {
  GONE: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { agent: string }) =>
      `Cannot save the state of "${d.agent}": this supervisor does not lead any more`,
    remedy: "Another supervisor of the topology has taken over; ask that one",
  },
});
