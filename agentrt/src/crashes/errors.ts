import { defineErrors } from "../core/index.ts";

/** Errors of crash records. */
export const crashErrors = defineErrors("AGENTRT_CRASH", {
  UNKNOWN: {
    exitCode: 1,
    httpStatus: 404,
    isRetryable: false,
    message: (d: { id: string; folder: string }) =>
      `Cannot find crash "${d.id}": "${d.folder}" holds no record of it`,
    remedy:
      "`agentrt crash list` names those that are there; --folder says where `agentrt run --crashes` has put them",
  },
  UNREADABLE: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { file: string; reason: string }) =>
      `Cannot read the crash record "${d.file}": ${d.reason}`,
    remedy: "Name a file that `agentrt run` has written, of this version",
  },
});
