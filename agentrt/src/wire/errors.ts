import { defineErrors } from "../core/index.ts";

/** Errors of what goes from one process to another. */
export const wireErrors = defineErrors("AGENTRT_WIRE", {
  SERIALIZER: {
    exitCode: 2,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { found: string; hint: string }) =>
      `Cannot read AGENCY_SERIALIZER: found "${d.found}", wanted "msgpack" or "json"${d.hint}`,
    remedy: "Set it to one of the two, the same in all processes, or leave it out",
  },
  UNREADABLE: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { reason: string }) => `Cannot read a message of another process: ${d.reason}`,
    remedy: "Let all processes of a topology run the same version with the same AGENCY_SERIALIZER",
  },
  NEWER_SCHEMA: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { found: number; known: number }) =>
      `Cannot read a message of another process: it has schema_version ${d.found}, and this version knows ${d.known}`,
    remedy: "Update this process: who sent the message runs a newer version",
  },
  TOO_LARGE: {
    exitCode: 1,
    httpStatus: 413,
    isRetryable: false,
    message: (d: { what: string; sizeBytes: number; sizeBytesMax: number }) =>
      `Cannot send ${d.what} to another process: it has ${d.sizeBytes} bytes, at most ${d.sizeBytesMax} are allowed`,
    remedy: "Send a reference to where the data lies",
  },
});
