import { defineErrors } from "../../core/index.ts";

/** Errors of putting another topology in place of one that runs. */
export const applyErrors = defineErrors("AGENTRT_APPLY", {
  NO_TOPOLOGY: {
    exitCode: 1,
    httpStatus: 409,
    isRetryable: false,
    message: (d: { runtime: string }) =>
      `Cannot compare a topology with "${d.runtime}": its tree was not made from one`,
    remedy: "Start it with `agentrt run` or `Runtime.fromTopology`, or use `Runtime.change`",
  },
  BUSY: {
    exitCode: 1,
    httpStatus: 409,
    isRetryable: true,
    message: (d: { runtime: string }) =>
      `Cannot apply a topology to "${d.runtime}": another one is being applied`,
    remedy: "Wait until that is done, ask for the plan again, and apply then",
  },
  NEEDS_RESTART: {
    exitCode: 1,
    httpStatus: 409,
    isRetryable: false,
    message: (d: { first: string; refusalCount: number }) =>
      `Cannot apply the topology: ${d.first}: that needs a restart of the process${
        d.refusalCount > 1 ? `, and so do ${d.refusalCount - 1} more` : ""
      }`,
    remedy: "Restart the process with the new file, or leave that part as it was",
  },
});
