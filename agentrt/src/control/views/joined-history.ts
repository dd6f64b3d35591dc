import type { JsonObject } from "../../core/index.ts";

/**
 * Makes one history of what several say about an agent. What two know is in it once: where an agent has crashed its process
 * says more than its supervisor.
 *
 * @param entries Of all of them, those of its process last.
 * @returns By their time.
 */
export function joinedHistory(entries: readonly JsonObject[]): JsonObject[] {
  const known = new Map<string, JsonObject>();
  for (const entry of entries) {
    const { process_id: _, ...said } = entry;
    known.set(JSON.stringify(said), entry);
  }
  const crashes = new Set(
    entries.flatMap(({ event, supervisor, crash_id: id }) =>
      event === "crashed" && supervisor === undefined ? [id] : [],
    ),
  );
  return [...known.values()]
    .filter(
      ({ event, supervisor, crash_id: id }) =>
        event !== "crashed" || supervisor === undefined || !crashes.has(id),
    )
    .toSorted((one, other) => Number(one["timestamp"]) - Number(other["timestamp"]));
}
