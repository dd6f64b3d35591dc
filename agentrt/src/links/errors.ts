import { defineErrors } from "../core/index.ts";

/** Errors of what carries messages between processes. */
export const linkErrors = defineErrors("AGENTRT_LINK", {
  CLIENT_MISSING: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { link: string; install: string }) =>
      `Cannot use transport ${d.link}: its client library is not installed: run \`${d.install}\``,
    remedy: "Install it in the project, or use another transport",
  },
  CLIENT_BROKEN: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { link: string; reason: string }) =>
      `Cannot use transport ${d.link}: its client library does not load here: ${d.reason}`,
    remedy: "Install it again on this kind of machine, or use another transport",
  },
  PROXY: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { address: string; reason: string }) =>
      `Cannot start the proxy of transport zmq at ${d.address}: ${d.reason}`,
    remedy: "Use a free address, or `start_proxy: false` where a proxy runs there already",
  },
  UNREACHABLE: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { link: string; where: string; reason: string }) =>
      `Cannot connect over ${d.link} to ${d.where}: ${d.reason}`,
    remedy: "Start the broker, or correct the address under `transport`",
  },
  REFUSED: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { link: string; where: string; reason: string }) =>
      `Cannot connect over ${d.link} to ${d.where}: ${d.reason}`,
    remedy: "Correct the keys and certificates under `security.transport`, or those of the broker",
  },
  DOWN: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { link: string; address: string }) =>
      `Cannot send to "${d.address}" over ${d.link}: it is not connected`,
    remedy: "It connects again by itself once the broker is back; send again then",
  },
  FULL: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { link: string; address: string }) =>
      `Cannot send to "${d.address}" over ${d.link}: too many messages wait to be sent`,
    remedy: "Send slower, or find out why the broker takes nothing",
  },
  NOT_STORED: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { address: string; stream: string; reason: string }) =>
      `Cannot store a message for "${d.address}" in stream ${d.stream}: ${d.reason}`,
    remedy:
      "Send it again when the broker is back; whether it was stored is not known when no answer came",
  },
  STREAM_FULL: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { address: string; stream: string; reason: string }) =>
      `Cannot store a message for "${d.address}": stream ${d.stream} has no room: ${d.reason}`,
    remedy: "Start the workers that messages wait for, or give the stream more room",
  },
  STREAM: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { stream: string; where: string; reason: string }) =>
      `Cannot use stream ${d.stream} of ${d.where}: ${d.reason}`,
    remedy:
      "Start the server with JetStream (nats-server -js) and let its user make and read the stream, or make the stream for it",
  },
  LOST: {
    exitCode: 1,
    httpStatus: 502,
    isRetryable: true,
    message: (d: { address: string; process: string }) =>
      `Cannot get an answer from "${d.address}": its process ${d.process} is gone`,
    remedy:
      "Send again when the agent runs again; what it did with the request before is not known",
  },
  CUT: {
    exitCode: 1,
    httpStatus: 502,
    isRetryable: true,
    message: (d: { address: string }) =>
      `Cannot get an answer from "${d.address}": the question or its answer was lost on the way`,
    remedy: "Send again; what the agent did with the request is not known",
  },
  REQUESTS: {
    exitCode: 1,
    httpStatus: 503,
    isRetryable: true,
    message: (d: { address: string; openCountMax: number }) =>
      `Cannot ask "${d.address}": ${d.openCountMax} requests to other processes wait for answers`,
    remedy: "Send fewer requests at once, or lower their time limits",
  },
});
