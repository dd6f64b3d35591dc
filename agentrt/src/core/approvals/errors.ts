import { defineErrors } from "../values/index.ts";

/** Errors of asking for an approval, of deciding about it, and what an agent gets that was not granted one. */
export const approvalErrors = defineErrors("AGENTRT_APPROVAL", {
  OPTION_INVALID: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { agent: string; option: string; found: string; wanted: string }) =>
      `Cannot ask for an approval in "${d.agent}": ${d.option} is ${d.found}, want ${d.wanted}`,
    remedy: "Correct what the agent gives to `suspendForApproval`",
  },
  SCHEMA_INVALID: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { agent: string; path: string; reason: string }) =>
      `Cannot ask for an approval in "${d.agent}": ${d.path}: ${d.reason}`,
    remedy: "Keep to the keywords of JSON Schema that the guide lists",
  },
  EXHAUSTED: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { agent: string; reason: string }) =>
      `Cannot ask for an approval in "${d.agent}": ${d.reason}`,
    remedy: "Decide about those that wait: `agentrt approvals list`",
  },
  UNKNOWN: {
    exitCode: 1,
    httpStatus: 404,
    isRetryable: false,
    message: (d: { id: string }) => `approval '${d.id}' not found`,
    remedy: "List what there is: `agentrt approvals list --status all`",
  },
  UNREAD: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { id: string; groups: readonly string[] }) =>
      `approval '${d.id}' is not found, and some of process group ${d.groups.join(", ")} cannot be read for now`,
    remedy: "Try again when the state store answers; the log names what cannot be read",
  },
  DECIDED: {
    exitCode: 1,
    httpStatus: 409,
    isRetryable: false,
    message: (d: { id: string; status: string; principal: string | null; atMs: number }) =>
      `approval '${d.id}' is not pending: it was ${d.status}${d.principal === null ? "" : ` by ${d.principal}`} at ${new Date(d.atMs).toISOString()}`,
    remedy: "Nothing: an approval is decided once",
  },
  NOT_READY: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { id: string; agent: string }) =>
      `approval '${d.id}' cannot be decided yet: '${d.agent}' has not paused for it`,
    remedy: "Try again when the agent is done with the message at hand",
  },
  ELSEWHERE: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { place: string }) =>
      `Cannot use the approvals of '${d.place}' here: another process has them, or they are on their way there`,
    remedy: "Try again: the process that has them then answers",
  },
  DECISION_INVALID: {
    exitCode: 2,
    httpStatus: 400,
    isRetryable: false,
    message: (d: { id: string; option: string; found: string; wanted: string }) =>
      `approval '${d.id}' cannot be decided: ${d.option} is ${d.found}, want ${d.wanted}`,
    remedy: "Correct the request",
  },
  PAYLOAD_INVALID: {
    exitCode: 1,
    httpStatus: 400,
    isRetryable: false,
    message: (d: { id: string; path: string; reason: string }) =>
      `approval '${d.id}' cannot have this payload: ${d.path}: ${d.reason}`,
    remedy: "Keep to the schema of the approval: `agentrt approvals show <id>`",
  },
  SAVED_INVALID: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { id: string; reason: string }) =>
      `Cannot read the saved approval "${d.id}": ${d.reason}`,
    remedy: "Use the version of agentrt that wrote it",
  },
  DENIED: {
    exitCode: 1,
    httpStatus: 403,
    isRetryable: false,
    message: (d: { id: string; kind: string; principal: string; note: string | null }) =>
      `Cannot go on with "${d.kind}": ${d.principal} denied it${d.note === null ? "" : `: ${d.note}`}`,
    remedy: "Do without it, or ask again with another payload",
  },
  EXPIRED: {
    exitCode: 1,
    httpStatus: 403,
    isRetryable: false,
    message: (d: { id: string; kind: string }) =>
      `Cannot go on with "${d.kind}": nobody decided about it in time`,
    remedy: "Ask again, with a longer `expiresMs` where people need it",
  },
});
