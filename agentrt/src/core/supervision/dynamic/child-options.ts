import type { SpawnRequest } from "../../agents/index.ts";
import type { ChildOptions } from "../../tree/index.ts";

/**
 * Takes what concerns the child itself out of a request.
 *
 * @param request What was asked for.
 * @returns The options of the child; undefined when the request says nothing.
 */
export function childOptions({ options, config }: SpawnRequest): ChildOptions | undefined {
  if (options === undefined) return config === undefined ? undefined : { config };
  const { wait: _wait, token: _token, timeoutMs: _timeoutMs, signal: _signal, ...own } = options;
  const { keepState: _keepState, ...child } = own;
  return { ...child, config };
}
