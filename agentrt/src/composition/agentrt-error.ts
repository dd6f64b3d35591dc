import {
  type agentErrors,
  type busErrors,
  type ErrorIn,
  type keyErrors,
  type circuitErrors,
  type modelErrors,
  type spawnErrors,
  type streamErrors,
  type supervisionErrors,
  TableError,
  type toolErrors,
} from "../core/index.ts";
import type { gatewayAuthErrors, gatewayErrors, rateLimitErrors } from "../gateway/index.ts";
import type { compositionErrors } from "../node-kinds/index.ts";
import type { pluginErrors } from "../plugins/index.ts";
import type { mcpErrors } from "../tools/index.ts";
import type { topologyErrors } from "../topology/index.ts";

/** An error of a state store. The table is not named here: with it come the types of the database drivers. */
type StateError = TableError & { readonly code: `AGENTRT_STATE_${string}` };

/** Any error of this package whose `code` and `details` the compiler knows. */
export type AgentrtError =
  | ErrorIn<typeof agentErrors>
  | ErrorIn<typeof busErrors>
  | ErrorIn<typeof circuitErrors>
  | ErrorIn<typeof compositionErrors>
  | ErrorIn<typeof gatewayAuthErrors>
  | ErrorIn<typeof gatewayErrors>
  | ErrorIn<typeof keyErrors>
  | ErrorIn<typeof mcpErrors>
  | ErrorIn<typeof modelErrors>
  | ErrorIn<typeof pluginErrors>
  | ErrorIn<typeof rateLimitErrors>
  | ErrorIn<typeof spawnErrors>
  | StateError
  | ErrorIn<typeof streamErrors>
  | ErrorIn<typeof supervisionErrors>
  | ErrorIn<typeof toolErrors>
  | ErrorIn<typeof topologyErrors>;

/**
 * Says whether an error comes from this package. The compiler then knows its codes, and by the code its details.
 *
 * @param error What was thrown.
 * @returns True for errors of `docs/errors.md`.
 *
 * @example
 * try {
 *   await this.call("shop", order);
 * } catch (error) {
 *   if (!isAgentrtError(error) || error.code !== "AGENTRT_BUS_TIMEOUT") throw error;
 *   this.log.warn("the shop is slow", { timeoutMs: error.details.timeoutMs });
 * }
 */
export function isAgentrtError(error: unknown): error is AgentrtError {
  return error instanceof TableError;
}
