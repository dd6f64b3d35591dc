import { defineErrors } from "../core/index.ts";

/** Errors of reading a topology file. */
export const topologyErrors = defineErrors("AGENTRT_TOPOLOGY", {
  FILE_MISSING: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { fileName: string }) =>
      `Cannot read topology "${d.fileName}": there is no such file`,
    remedy: "Give the path of a topology file; `agentrt init` makes a project with one",
  },
  FILE_UNREADABLE: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { fileName: string; reason: string }) =>
      `Cannot read topology "${d.fileName}": ${d.reason}`,
    remedy: "Give a regular file that this user may read",
  },
  INVALID: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { first: string; problemCount: number }) =>
      d.problemCount > 1 ? `${d.first} (and ${d.problemCount - 1} more)` : d.first,
    remedy: "Correct the file; `agentrt topology validate` lists every fault",
  },
});
