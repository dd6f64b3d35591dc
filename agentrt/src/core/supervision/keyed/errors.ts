import { defineErrors } from "../../values/index.ts";

/** Errors of messages to keyed agents. */
export const keyErrors = defineErrors("AGENTRT_KEY", {
  MISSING: {
    exitCode: 1,
    httpStatus: 400,
    isRetryable: false,
    message: (d: { agent: string; place: string }) =>
      `Cannot deliver message to "${d.agent}": it has no key, want ${d.place}`,
    remedy: "Give the key: one conversation, one ticket or one customer is one agent",
  },
  INVALID: {
    exitCode: 1,
    httpStatus: 400,
    isRetryable: false,
    message: (d: { agent: string; found: string; wanted: string }) =>
      `Cannot deliver message to "${d.agent}": its key is ${d.found}, want ${d.wanted}`,
    remedy: "Correct the key",
  },
  ELSEWHERE: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { agent: string }) =>
      `Cannot deliver message to "${d.agent}": it, or its key, is on another worker or on its way there`,
    remedy: "Send again: it goes to the worker that has it then",
  },
  FAILED: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { agent: string; key: string; reason: string; retryAfterMs: number }) =>
      `Cannot deliver message to "${d.agent}/${d.key}": it has crashed too often and is left alone for ${Math.ceil(d.retryAfterMs / 1000)} s more: ${d.reason}`,
    remedy: "Correct what it crashes on; it starts again when that time is over",
  },
  NOT_SAVED: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { agent: string; reason: string }) =>
      `Cannot stop "${d.agent}": its state could not be saved: ${d.reason}`,
    remedy: "It is still there; correct its `onPassivate` or the state store, and stop it again",
  },
  EXHAUSTED: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { agent: string; residentCountMax: number; waitingCountMax: number }) =>
      `Cannot deliver message to "${d.agent}": ${d.residentCountMax} keys are busy and ${d.waitingCountMax} wait for a place`,
    remedy: "Send more slowly, or raise `max_resident`",
  },
});
