import { defineErrors } from "./define-errors.ts";

/** Errors of sending and calling. */
export const busErrors = defineErrors("AGENTRT_BUS", {
  NO_ROUTE: {
    exitCode: 1,
    httpStatus: 404,
    isRetryable: false,
    message: (d: { address: string }) =>
      `Cannot deliver message to "${d.address}": no agent is registered under that name`,
    remedy: "Start the agent or correct the name; `agentrt topology show` lists what runs",
  },
  TIMEOUT: {
    exitCode: 1,
    httpStatus: 504,
    isRetryable: true,
    message: (d: { address: string; timeoutMs: number }) =>
      `Cannot get a reply from "${d.address}": none came within ${d.timeoutMs} ms`,
    remedy: "Raise `timeoutMs`, or look at the agent's mailbox depth and handler",
  },
  MAILBOX_FULL: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { address: string; mailboxLengthMax: number }) =>
      `Cannot deliver message to "${d.address}": its mailbox holds ${d.mailboxLengthMax} messages and takes no more`,
    remedy: "Send more slowly, or raise the agent's `mailboxLengthMax`",
  },
  PAYLOAD_NOT_JSON: {
    exitCode: 1,
    httpStatus: 400,
    isRetryable: false,
    message: (d: { path: string; found: string }) =>
      `Cannot send payload: "${d.path}" is ${d.found}, and a payload holds plain JSON values only`,
    remedy: "Send null, booleans, finite numbers, strings, arrays and plain objects",
  },
  RESERVED_TYPE: {
    exitCode: 1,
    httpStatus: 400,
    isRetryable: false,
    message: (d: { type: string }) =>
      `Cannot send message of type "${d.type}": types that begin with "_agency." or "agentrt." belong to the runtime`,
    remedy: "Choose another message type",
  },
  CANCELLED: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { address: string }) =>
      `Cannot get a reply from "${d.address}": the caller cancelled the call`,
    remedy: "Call again when the result is wanted",
  },
});

/** Errors of an agent's life. */
export const agentErrors = defineErrors("AGENTRT_AGENT", {
  CRASHED: {
    exitCode: 1,
    httpStatus: 502,
    isRetryable: true,
    message: (d: { agent: string; reason: string }) =>
      `Cannot get a reply from "${d.agent}": it crashed while it handled the message: ${d.reason}`,
    remedy: "Its supervisor restarts it; the cause is in the log and in this error's `cause`",
  },
  STOPPED: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { agent: string }) =>
      `Cannot reach "${d.agent}": it is stopped and is not being restarted`,
    remedy: "Start the agent again, or route to another one",
  },
});
