import type { AuditRefusal } from "../../core/index.ts";
import { principalOf } from "../auth/index.ts";
import type { Middleware } from "../chain/index.ts";

/** Takes note of a client that was refused. */
export type OnRefusal = (refusal: Omit<AuditRefusal, "gateway">) => void;

/** Nobody knows who it is, it may not, it came too often. */
const refusalStatuses: ReadonlySet<number | undefined> = new Set([401, 403, 429]);

/**
 * Wraps a middleware, so that somebody hears of each request that it refuses by itself.
 *
 * @param middleware The middleware.
 * @param by Its name in records.
 * @param onRefusal Hears of it.
 */
export function watchRefusals(
  middleware: Middleware,
  by: string,
  onRefusal: OnRefusal,
): Middleware {
  const watched: Middleware = async (request, next) => {
    let isPassed = false;
    const response = await middleware(request, (given) => {
      isPassed = true;
      return next(given);
    });
    const status = (response as { readonly status?: number } | undefined)?.status;
    if (!isPassed && status !== undefined && refusalStatuses.has(status)) {
      const { auth, clientIp: client } = request;
      onRefusal({
        by,
        status,
        client,
        principal: auth === undefined ? undefined : principalOf(request),
      });
    }
    return response;
  };
  // Errors name the middleware.
  Object.defineProperty(watched, "name", { value: middleware.name });
  return watched;
}
