import { modelErrors, reasonOf, TableError, printable } from "../../core/index.ts";
import { AnswerTooLongError } from "./limited-fetch.ts";
import { retryAfterMs } from "./retry-after.ts";

/** What is known of a failed request, apart from the error. */
export interface FailedRequest {
  readonly provider: string;
  readonly model: string;
  /** Taken out of every text. */
  readonly key: string | undefined;
  /** Wall clock, milliseconds. */
  readonly nowMs: number;
}

/** The errors of both vendors' packages, as far as they are alike. */
interface VendorError {
  readonly status?: unknown;
  readonly headers?: unknown;
  readonly type?: unknown;
  readonly code?: unknown;
  readonly cause?: unknown;
  /** What the server said, without the rest of its answer. */
  readonly apiMessage?: unknown;
}

const reasonLengthMax = 500;

/** Errors that a server reports inside a stream that began well, by their `type`. */
const statusOfType: { readonly [type: string]: number } = {
  overloaded_error: 529,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  api_error: 500,
  server_error: 500,
  internal_server_error: 500,
  timeout_error: 504,
};

const connectionReasons: { readonly [code: string]: string } = {
  ECONNREFUSED: "nothing answers at that address",
  ECONNRESET: "the connection was lost",
  ENOTFOUND: "its host is not known",
  EAI_AGAIN: "its host cannot be looked up",
  ETIMEDOUT: "it did not answer in time",
  UND_ERR_SOCKET: "the connection was lost",
  UND_ERR_CONNECT_TIMEOUT: "it did not answer in time",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is signed by nobody that is trusted",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate is signed by nobody that is trusted",
  CERT_HAS_EXPIRED: "its certificate has expired",
};

/**
 * Turns what a vendor's package threw into an error of the table. The vendor's error itself is dropped: it holds the
 * answer, which may repeat the key.
 *
 * @param error What was thrown.
 * @param request What was asked.
 * @returns The error.
 */
export function vendorFailure(error: unknown, request: FailedRequest): Error {
  if (error instanceof TableError) return error;
  const { provider, model } = request;
  const asked = { provider, model };
  const found: VendorError = typeof error === "object" && error !== null ? error : {};
  const reason = safeReason(found.apiMessage ?? error, request.key);
  const name = error instanceof Error ? error.constructor.name : "";
  const status =
    typeof found.status === "number"
      ? found.status
      : statusOfType[typeof found.type === "string" ? found.type : ""];
  if (status !== undefined) return statusFailure(status, { found, reason, request });
  if (name === "APIUserAbortError" || name === "AbortError")
    return new modelErrors.CANCELLED(asked);
  const code = connectionCode(error);
  const known = code === undefined ? undefined : connectionReasons[code];
  if (code === "UND_ERR_HEADERS_TIMEOUT" || code === "UND_ERR_BODY_TIMEOUT")
    return new modelErrors.TIMEOUT({ ...asked, waited: "no answer", timeoutMs: 300_000 });
  if (error instanceof AnswerTooLongError || found.cause instanceof AnswerTooLongError)
    return new modelErrors.REPLY_INVALID({ ...asked, reason: reasonOf(innermost(error)) });
  if (name.startsWith("APIConnection"))
    return new modelErrors.UNREACHABLE({
      ...asked,
      reason: known ?? safeReason(innermost(error), request.key),
      ...(code === undefined ? {} : { connectionCode: code }),
    });
  if (error instanceof SyntaxError)
    return new modelErrors.REPLY_INVALID({ ...asked, reason: "it is not JSON" });
  if (code !== undefined || (error instanceof TypeError && error.message === "terminated"))
    return new modelErrors.STREAM_CUT({ ...asked, reason: known ?? "the connection was lost" });
  // What came was read as what it is not.
  if (error instanceof TypeError)
    return new modelErrors.REPLY_INVALID({ ...asked, reason: "it has another form" });
  return new modelErrors.REFUSED({ ...asked, status: undefined, reason });
}

function statusFailure(
  status: number,
  failed: { readonly found: VendorError; readonly reason: string; readonly request: FailedRequest },
): Error {
  const { found, reason, request } = failed;
  const { provider, model, nowMs } = request;
  const headers = found.headers instanceof Headers ? found.headers : undefined;
  const waitMs = retryAfterMs(headers, nowMs);
  const details = {
    provider,
    model,
    reason,
    ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
  };
  // The account is empty, or the server knows better: to ask again would change nothing.
  const isFinal = found.code === "insufficient_quota" || headers?.get("x-should-retry") === "false";
  if (isFinal) return new modelErrors.REFUSED({ provider, model, status, reason });
  if (status === 429) return new modelErrors.RATE_LIMITED(details);
  if (status === 529 || status === 503) return new modelErrors.OVERLOADED(details);
  if (status >= 500 || status === 408 || status === 409)
    return new modelErrors.SERVER_FAILED({ ...details, status });
  return new modelErrors.REFUSED({ provider, model, status, reason });
}

/** What the server or the package said: one line, not long, without the key. */
function safeReason(error: unknown, key: string | undefined): string {
  const text = reasonOf(error).replace(/^\d{3} /, "");
  const shown = key === undefined ? text : text.replaceAll(key, "(hidden)");
  return printable(shown, reasonLengthMax);
}

/** The code of the first error of a chain of causes that has one. */
function connectionCode(error: unknown): string | undefined {
  let current = error;
  for (let depth = 0; depth < 8 && typeof current === "object" && current !== null; depth += 1) {
    const { code, cause, errors } = current as VendorError & { readonly errors?: unknown };
    if (typeof code === "string" && /^(?:E[A-Z]|UND_|CERT_|DEPTH_|SELF_)/.test(code)) return code;
    current = cause ?? (Array.isArray(errors) ? errors[0] : undefined);
  }
  return undefined;
}

/** The error that began it: packages wrap it into ones that say nothing. */
function innermost(error: unknown): unknown {
  let current = error;
  for (let depth = 0; depth < 8; depth += 1) {
    const { cause } = current as VendorError;
    if (!(cause instanceof Error)) break;
    current = cause;
  }
  return current;
}
