import type { AgentCell } from "../core/index.ts";

/** An agent that has not started yet. */
export interface StartingAgent {
  readonly agent: string;
  /** Where its start is: its state is read, or its hook runs. */
  readonly step: "reading its state" | "onStart";
  /** For how long, milliseconds. */
  readonly sinceMs: number;
}

/**
 * Lists the agents whose start is under way.
 *
 * @param cells Of the tree.
 * @param nowMs On the monotonic clock.
 */
export function startingAgents(cells: Iterable<AgentCell>, nowMs: number): StartingAgent[] {
  const starting: StartingAgent[] = [];
  for (const cell of cells) {
    const { startingSinceMs } = cell;
    if (startingSinceMs === undefined) continue;
    const step = cell.startPhase === "restore" ? "reading its state" : "onStart";
    starting.push({ agent: cell.name, step, sinceMs: nowMs - startingSinceMs });
  }
  return starting;
}
