import { defineErrors } from "../core/index.ts";

/** Errors of building and starting a gateway. */
export const gatewayErrors = defineErrors("AGENTRT_GATEWAY", {
  BIND_FAILED: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: true,
    message: (d: { node: string; host: string; port: number; reason: string }) =>
      `Cannot start gateway "${d.node}" on ${d.host} port ${d.port}: ${d.reason}`,
    remedy: "Stop the program that holds the port, or set another `host` or `port` on the node",
  },
  MIDDLEWARE_UNKNOWN: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { node: string; path: string; hint: string }) =>
      `Cannot start gateway "${d.node}": there is no middleware "${d.path}" in this package${d.hint}`,
    remedy: "Correct the path, or give the function itself",
  },
  TLS_INVALID: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { node: string; key: string; path: string; reason: string }) =>
      `Cannot start gateway "${d.node}": ${d.key} "${d.path}": ${d.reason}`,
    remedy:
      "Give PEM files that belong together: the certificate with its chain, and its private key",
  },
  HTTP3_UNAVAILABLE: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { node: string; reason: string }) =>
      `Cannot start gateway "${d.node}": enable_http3: ${d.reason}`,
    remedy:
      "Run it with the Node that comes with this package on Linux or macOS, or take `enable_http3` out",
  },
  HTTP3_INVALID: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { node: string; key: string; reason: string }) =>
      `Cannot start gateway "${d.node}": ${d.key}: ${d.reason}`,
    remedy: "Give the gateway a certificate, and HTTP/3 a UDP port",
  },
  GRPC_INVALID: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { node: string; key: string; reason: string }) =>
      `Cannot start gateway "${d.node}": ${d.key}: ${d.reason}`,
    remedy: "Correct the setting, or serve gRPC from a separate gateway",
  },
  NEXT_CALLED_TWICE: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { middleware: string }) =>
      `Cannot pass a request on: middleware "${d.middleware}" called next() multiple times`,
    remedy: "Call next once for each request, and return its response",
  },
  SETTING_INVALID: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { node: string; key: string; reason: string }) =>
      `Cannot start gateway "${d.node}": ${d.key} ${d.reason}`,
    remedy: "Correct the setting",
  },
  PUBLISH_PACKAGE_MISSING: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { node: string }) =>
      `Cannot start gateway "${d.node}": publish: the package "@modelcontextprotocol/sdk" is not installed`,
    remedy: "npm install @modelcontextprotocol/sdk, or set `publish.mcp` to false",
  },
  ROUTE_INVALID: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { method: string; path: string; reason: string }) =>
      `Cannot serve route "${d.method} ${d.path}": ${d.reason}`,
    remedy:
      "Write a method such as POST and a path such as /orders/{id}, each placeholder a whole segment with its own name",
  },
});
