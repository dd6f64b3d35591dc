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
  const { mailboxLengthMax, retryCountMax, shutdownTimeoutMs, handleTimeoutMs } = options;
  const { startTimeoutMs, capabilities, capabilityMetadata } = options;
  return {
    mailboxLengthMax,
    retryCountMax,
    shutdownTimeoutMs,
    handleTimeoutMs,
    startTimeoutMs,
    capabilities,
    capabilityMetadata,
    config,
  };
}
