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
