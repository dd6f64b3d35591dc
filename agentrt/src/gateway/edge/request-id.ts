import type { System } from "../../core/index.ts";

/** Where the id of a request is, and whose word counts. */
export interface RequestIdOptions {
  /** Header of requests and responses, metadata of gRPC; lower-case. Default `x-request-id`. */
  readonly header?: string | undefined;
  /** Whose ids are taken over: those of trusted proxies, of everybody, or of nobody. Default `proxies`. */
  readonly trust?: "proxies" | "all" | "none" | undefined;
}

/** The header where nothing else is said. */
export const requestIdHeaderDefault = "x-request-id";

// Nothing that ends a line, a header or a quoted text: the id goes into all of them.
const idPattern = /^[\w.:+/=@-]{1,128}$/;

/**
 * Finds the id of a request.
 *
 * @param given What the caller sent; `undefined` for nothing.
 * @param isTrusted Whether the caller's word counts.
 * @param system Makes new ids.
 * @returns The caller's where it is trusted and has 1 to 128 letters, digits and `_ . : + / = @ -`, else a new UUID.
 */
export function requestIdOf(given: string | undefined, isTrusted: boolean, system: System): string {
  return isTrusted && given !== undefined && idPattern.test(given) ? given : system.nextId();
}
