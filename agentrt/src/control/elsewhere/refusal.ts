import { TableError } from "../../core/index.ts";
import { errorResponse, type GatewayResponse } from "../../gateway/index.ts";

/**
 * Makes the answer that says why something was refused.
 *
 * @param error What refused it.
 * @returns Its status and message; with 503 when to come back.
 * @throws The same where it is nobody's business but the log's.
 */
export function refusalOf(error: unknown): GatewayResponse {
  if (!(error instanceof TableError) || error.httpStatus === 500) throw error;
  const { httpStatus, message } = error;
  return errorResponse(httpStatus, message, httpStatus === 503 ? { "retry-after": "1" } : {});
}
