import type { System } from "../../core/index.ts";
import { errorResponse, type GatewayResponse } from "../request.ts";

/** How long a request may take. */
export interface Deadline {
  readonly system: System;
  /** Milliseconds, 1 or more. */
  readonly timeoutMs: number;
}

const late = errorResponse(504, "upstream timeout");

/**
 * Runs middleware and what it wraps with a deadline. A middleware that hangs, because the identity provider that it asks
 * hangs, then costs its client the answer, and nobody else anything.
 *
 * @param gone Aborted when nobody waits for the answer any more.
 * @param deadline After this the answer is 504.
 * @param run Makes the answer; its signal aborts with `gone` and at the deadline.
 */
export async function withDeadline(
  gone: AbortSignal,
  { system, timeoutMs }: Deadline,
  run: (signal: AbortSignal) => Promise<GatewayResponse>,
): Promise<GatewayResponse> {
  const ending = new AbortController();
  const onGone = (): void => ending.abort(gone.reason);
  if (gone.aborted) onGone();
  gone.addEventListener("abort", onGone, { once: true });
  const { promise: expired, resolve: expire } = Promise.withResolvers<GatewayResponse>();
  const timer = system.setTimer(timeoutMs, () => {
    expire(late);
    ending.abort(new DOMException(`took longer than ${timeoutMs} ms`, "TimeoutError"));
  });
  try {
    return await Promise.race([run(ending.signal), expired]);
  } finally {
    system.clearTimer(timer);
    gone.removeEventListener("abort", onGone);
  }
}
