import { defineErrors } from "../values/index.ts";

/** Errors of using tools. */
export const toolErrors = defineErrors("AGENTRT_TOOL", {
  UNKNOWN_NAME: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { agent: string; tool: string; hint: string }) =>
      `Cannot use tool "${d.tool}" for "${d.agent}": no tool server offers it${d.hint}`,
    remedy: "Correct the name, or add the server under `mcp.servers`; `this.tools.list()` has all",
  },
  FAILED: {
    exitCode: 1,
    httpStatus: 502,
    isRetryable: false,
    message: (d: { tool: string; reason: string }) =>
      `Cannot finish tool "${d.tool}": it failed: ${d.reason}`,
    remedy: "Look at the tool's own message; its input may be wrong",
  },
  UNAVAILABLE: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { server: string; reason: string }) =>
      `Cannot reach tool server "${d.server}": ${d.reason}`,
    remedy: "Start the server, or correct its command or url; the next call tries again",
  },
  TIMEOUT: {
    exitCode: 1,
    httpStatus: 504,
    isRetryable: true,
    message: (d: { tool: string; timeoutMs: number }) =>
      `Cannot finish tool "${d.tool}": no answer came within ${d.timeoutMs} ms`,
    remedy: "Raise `timeoutMs`, or find what the tool waits for",
  },
  CANCELLED: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { tool: string }) => `Cannot finish tool "${d.tool}": the caller cancelled it`,
    remedy: "Call it again when the result is wanted",
  },
  INPUT_INVALID: {
    exitCode: 2,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { tool: string; place: string; found: string; wanted: string }) =>
      `Cannot use tool "${d.tool}": ${d.place} is ${d.found}, want ${d.wanted}`,
    remedy: "Correct the call",
  },
  DUPLICATE_SOURCE: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { name: string }) =>
      `Cannot use two tool servers named "${d.name}": their tools could not be told apart`,
    remedy: "Give each server a different name",
  },
});
