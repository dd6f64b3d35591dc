import { recordKey } from "../request-record.ts";
import type { Handler } from "./middleware.ts";

const lengthMax = 256;

/**
 * Wraps what is behind the middleware, so that the record of a request names who sent it.
 *
 * @param handle The innermost.
 */
export function notePrincipal(handle: Handler): Handler {
  return (request) => {
    const { auth, [recordKey]: record } = request;
    if (record !== undefined && auth !== undefined) {
      const id = auth.principal?.id ?? auth.id;
      if (typeof id === "string") record.principal = id.slice(0, lengthMax);
    }
    return handle(request);
  };
}
