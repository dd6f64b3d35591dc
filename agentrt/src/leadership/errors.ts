import { defineErrors } from "../core/index.ts";

/** Errors of processes of which one leads. */
export const leadershipErrors = defineErrors("AGENTRT_LEADER", {
  UNUSABLE: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: false,
    message: (d: { where: string; reason: string }) =>
      `Cannot find out which supervisor leads at ${d.where}: ${d.reason}`,
    remedy:
      "Start the server with JetStream (nats-server -js) and let its user make and read buckets, or take out `jetstream: true`",
  },
  GONE: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { agent: string }) =>
      `Cannot save the state of "${d.agent}": this supervisor does not lead any more`,
    remedy: "Another supervisor of the topology has taken over; ask that one",
  },
});
