import type { GatewayRequest, RequestAuth } from "../request.ts";

/**
 * Adds what one middleware has verified to what those before it have.
 *
 * @param request The request; its `auth` is replaced.
 * @param verified What was found out; its fields win.
 */
export function addAuth(request: GatewayRequest, verified: RequestAuth): void {
  request.auth = request.auth === undefined ? verified : { ...request.auth, ...verified };
}
