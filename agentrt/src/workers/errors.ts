import { defineErrors } from "../core/index.ts";

/** Errors of agents in other processes. */
export const workerErrors = defineErrors("AGENTRT_WORKER", {
  AWAY: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { agent: string; process: string }) =>
      `Cannot send to "${d.agent}": no worker of process "${d.process}" is there`,
    remedy:
      "Start it with `agentrt run --process <name>`; the agent is served as soon as it is there",
  },
  OTHER_TOPOLOGY: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { process: string }) =>
      `Cannot take worker "${d.process}": it was started with another topology than the supervisor`,
    remedy: "Give both the same topology file",
  },
  NOT_CHANGED: {
    exitCode: 1,
    httpStatus: 409,
    isRetryable: false,
    message: (d: { process: string; reason: string }) =>
      `The worker of process "${d.process}" does not take the tree, and all is as it was before: ${d.reason}`,
    remedy: "Mend what the message says; a worker that is gone is noticed within ten seconds",
  },
  CHANGING: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { process: string }) =>
      `Cannot take worker "${d.process}" yet: another tree is being put in place`,
    remedy: "It is tried again by itself",
  },
  NO_TREE: {
    exitCode: 1,
    httpStatus: 409,
    isRetryable: true,
    message: (d: { process: string }) =>
      `The worker of process "${d.process}" has no tree to keep: it has taken it back`,
    remedy: "It gets the tree when it registers again, which it does by itself",
  },
  NO_SUPERVISOR: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { where: string }) =>
      `Cannot join a supervisor at ${d.where}: none has answered within 30 seconds`,
    remedy: "Start the supervisor with the same broker, or correct --worker",
  },
  READS_DIFFERENTLY: {
    exitCode: 1,
    httpStatus: 409,
    isRetryable: false,
    message: (d: { process: string }) =>
      `The files of the supervisor say something else in process "${d.process}": variables that are put into them have other values there`,
    remedy: "Start the worker with the variables that the supervisor has",
  },
  TAKEN: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: true,
    message: (d: { process: string }) =>
      `Cannot take worker "${d.process}": another one of that name is there and answers`,
    remedy: "Stop the other one first; the name is free when it has gone, or stopped to answer",
  },
  GONE: {
    exitCode: 1,
    httpStatus: 502,
    isRetryable: true,
    message: (d: { agent: string; process: string; reason: string }) =>
      `Agent "${d.agent}" is gone with the worker of process "${d.process}": ${d.reason}`,
    remedy: "It is started again when the worker is back; look at the worker's log",
  },
  LOST: {
    exitCode: 1,
    httpStatus: 502,
    isRetryable: true,
    message: (d: { process: string; reason: string }) =>
      `The worker of process "${d.process}" is gone before it answered: ${d.reason}`,
    remedy: "Ask again when the worker is back; look at the worker's log",
  },
  OLD_LEAD: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { process: string }) =>
      `The worker of process "${d.process}" does not obey: another supervisor leads by now`,
    remedy: "Ask the supervisor that leads",
  },
});
