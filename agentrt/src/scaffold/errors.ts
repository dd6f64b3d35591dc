import { defineErrors } from "../core/index.ts";

/** Errors of making a new project. */
export const scaffoldErrors = defineErrors("AGENTRT_SCAFFOLD", {
  BAD_NAME: {
    exitCode: 1,
    httpStatus: 400,
    isRetryable: false,
    message: (d: { name: string }) =>
      `Cannot make project "${d.name}": a project's name has letters, digits and underscores, and begins with no digit`,
    remedy: "Choose another name, for example my_agents",
  },
  TAKEN_NAME: {
    exitCode: 1,
    httpStatus: 400,
    isRetryable: false,
    message: (d: { name: string }) =>
      `Cannot make project "${d.name}": this name means something else to TypeScript or npm`,
    remedy: "Choose another name, for example my_agents",
  },
  TARGET_EXISTS: {
    exitCode: 1,
    httpStatus: 409,
    isRetryable: false,
    message: (d: { path: string }) =>
      `Cannot make project in "${d.path}": it is there already, and not an empty folder`,
    remedy: "Choose another name or another --dir; nothing was changed",
  },
  WRITE_FAILED: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: true,
    message: (d: { path: string; reason: string }) =>
      `Cannot make project in "${d.path}": ${d.reason}`,
    remedy: "Choose a folder that this user may write to; nothing was left behind",
  },
});
