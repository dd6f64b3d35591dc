import { defineErrors } from "../../core/index.ts";

/** Errors of changing a tree that runs. */
export const changeErrors = defineErrors("AGENTRT_CHANGE", {
  BUSY: {
    exitCode: 1,
    httpStatus: 409,
    isRetryable: true,
    message: (d: { runtime: string }) =>
      `Cannot change the tree "${d.runtime}": another change of it is under way`,
    remedy: "Wait until that one is done, look at what runs then, and try again",
  },
  ROOT_DIFFERS: {
    exitCode: 1,
    httpStatus: 409,
    isRetryable: false,
    message: (d: { runtime: string; found: string }) =>
      `Cannot change the tree "${d.runtime}": the new root is ${d.found}, want a supervisor of the same name`,
    remedy: "Keep the name of the root, or start the process again with the new description",
  },
  KIND_DIFFERS: {
    exitCode: 1,
    httpStatus: 409,
    isRetryable: false,
    message: (d: { supervisor: string }) =>
      `Cannot change the tree: "${d.supervisor}" is a supervisor that runs, want one of the same kind under that name`,
    remedy: "Give the new node another name, or start the process again with the new description",
  },
  START_FAILED: {
    exitCode: 1,
    httpStatus: 409,
    isRetryable: false,
    message: (d: { node: string; reason: string }) =>
      `Cannot change the tree: "${d.node}" did not start, and all is as it was before: ${d.reason}`,
    remedy: "Mend what the message says, and apply the description again",
  },
  STATE_NOT_SAVED: {
    exitCode: 1,
    httpStatus: 409,
    isRetryable: true,
    message: (d: { agent: string; reason: string }) =>
      `Cannot change the tree: the state of "${d.agent}" could not be saved, and all is as it was before: ${d.reason}`,
    remedy: "See that the state store can be reached, and apply the description again",
  },
});
