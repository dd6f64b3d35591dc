import { defineErrors } from "../core/define-errors.ts";

/** Errors of the command line itself. */
export const cliErrors = defineErrors("AGENTRT_CLI", {
  USAGE: {
    exitCode: 2,
    httpStatus: 400,
    isRetryable: false,
    message: (d: { reason: string; help: string }) => `${d.reason}; see ${d.help}`,
    remedy: "Correct the command line",
  },
  INTERNAL: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { reason: string }) => `Cannot go on: ${d.reason}`,
    remedy: "This is a fault of agentrt: report it with the command line that caused it",
  },
});
