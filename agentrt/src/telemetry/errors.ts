import { defineErrors } from "../core/index.ts";

/** Errors of exporters of this package. */
export const telemetryErrors = defineErrors("AGENTRT_TELEMETRY", {
  SETTING_INVALID: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { exporter: string; setting: string; found: string; wanted: string }) =>
      `Cannot use exporter "${d.exporter}": ${d.setting} is "${d.found}", wanted ${d.wanted}`,
    remedy: "Correct the setting: in plugins.exporters, or in the environment",
  },
  EXPORT_FAILED: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: true,
    message: (d: { url: string; reason: string }) => `Cannot send spans to ${d.url}: ${d.reason}`,
    remedy: "See that the collector runs and takes OTLP over HTTP at this address",
  },
  STORE_FAILED: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { path: string; reason: string }) =>
      `Cannot use telemetry store "${d.path}": ${d.reason}`,
    remedy: "See that the folder can be written, and that only one process writes it",
  },
  BUSY: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { path: string; count: number }) =>
      `Cannot read telemetry store "${d.path}" now: ${d.count} questions wait already`,
    remedy: "Ask again a little later, and less often",
  },
});
