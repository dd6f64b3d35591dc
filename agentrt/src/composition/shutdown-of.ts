import type { ShutdownOptions } from "../runtime/index.ts";
import type { Topology } from "../topology/index.ts";

/**
 * Reads how a run stops.
 *
 * @param topology A validated topology.
 * @returns The options of the runtime; what the file does not say is left to its defaults.
 */
export function shutdownOf({ shutdown = {} }: Topology): ShutdownOptions {
  const milliseconds = (durationSeconds: unknown): number | undefined =>
    typeof durationSeconds === "number" ? Math.round(durationSeconds * 1000) : undefined;
  return {
    lameDuckMs: milliseconds(shutdown["lame_duck"]),
    graceMs: milliseconds(shutdown["grace"]),
  };
}
