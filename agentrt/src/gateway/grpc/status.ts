import { errorResponse, type GatewayResponse } from "../request.ts";

/** Status codes of gRPC that this gateway uses. */
export const grpcCodes = {
  ok: 0,
  cancelled: 1,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  aborted: 10,
  outOfRange: 11,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/** How a call ends. */
export interface GrpcStatus {
  readonly code: number;
  readonly message: string;
}

/** Ends a call with its own status. */
export class GrpcFault extends Error implements GrpcStatus {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const codeByStatus: { readonly [status: number]: number } = {
  400: grpcCodes.invalidArgument,
  401: grpcCodes.unauthenticated,
  403: grpcCodes.permissionDenied,
  404: grpcCodes.notFound,
  409: grpcCodes.aborted,
  410: grpcCodes.notFound,
  412: grpcCodes.failedPrecondition,
  413: grpcCodes.resourceExhausted,
  416: grpcCodes.outOfRange,
  422: grpcCodes.invalidArgument,
  428: grpcCodes.failedPrecondition,
  429: grpcCodes.resourceExhausted,
  501: grpcCodes.unimplemented,
  503: grpcCodes.unavailable,
  504: grpcCodes.deadlineExceeded,
};

/**
 * Says in gRPC what a response of HTTP says.
 *
 * @param response A refusal; everything that is in no table is INTERNAL.
 */
export function statusOf(response: GatewayResponse): GrpcStatus {
  const text = (response.body as { readonly error?: unknown } | null | undefined)?.error;
  return {
    code: codeByStatus[response.status] ?? grpcCodes.internal,
    message: typeof text === "string" ? text : `refused with ${response.status}`,
  };
}

/** Says in HTTP what a status of gRPC says, for middleware to see. @returns What `statusOf` makes the same status of. */
export function refusalOf({ code, message }: GrpcStatus): GatewayResponse {
  const [status = "500"] = Object.entries(codeByStatus).find(([, each]) => each === code) ?? [];
  return errorResponse(Number(status), message);
}

/** Writes text for `grpc-message`: visible ASCII, all else as percent sequences of UTF-8. */
export function encodeMessage(text: string): string {
  return text
    .replaceAll(/[^\x20-\x24\x26-\x7e]+/gu, (part) =>
      [...Buffer.from(part)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
    )
    .slice(0, messageLengthMax);
}

const messageLengthMax = 1_024;

const unitMs: { readonly [unit: string]: number } = {
  H: 3_600_000,
  M: 60_000,
  S: 1_000,
  m: 1,
  u: 0.001,
  n: 0.000_001,
};

/**
 * Reads `grpc-timeout`.
 *
 * @param header Its value.
 * @returns Milliseconds; `undefined` without the header, `"malformed"` when it is none.
 */
export function readTimeout(header: string | undefined): number | undefined | "malformed" {
  if (header === undefined) return undefined;
  const [, digits, unit] = /^(\d{1,8})([HMSmun])$/.exec(header) ?? [];
  const scaleMs = unitMs[unit ?? ""];
  return digits === undefined || scaleMs === undefined ? "malformed" : Number(digits) * scaleMs;
}
