import { agentErrors, type AgentCell, type SuspensionRequest } from "../core/index.ts";

/** Most halted agents that are named in a picture of the health. */
const namedCountMax = 100;

/** @throws AGENTRT_AGENT_HALTED for an agent that an eval agent has halted: a restart does not lift that. */
export function refuseIfHalted(cell: AgentCell): void {
  const { marker } = cell.checkpoints;
  if (marker?.isHalted !== true) return;
  const { initiatedBy: by = "an eval agent", reason } = marker;
  throw new agentErrors.HALTED({ agent: cell.name, by, reason });
}

/**
 * Makes what a resume asks of a halted agent: it takes the request, and starts for it.
 *
 * @param cell The agent.
 * @param revive Starts it; settles when that was tried.
 */
export function liftingOf(
  cell: AgentCell,
  revive: () => Promise<void>,
): { readonly name: string; askSuspension(request: SuspensionRequest): void } {
  return {
    name: cell.name,
    askSuspension: (request) => {
      cell.askSuspension(request);
      // One that is about to end is started by its supervisor behind that.
      const onTried = (): void => {
        if (!cell.isEnding) cell.dropLift();
      };
      revive().then(onTried, (error: unknown) => {
        request.onGone(error as Error);
        onTried();
      });
    },
  };
}

/** @returns The names of agents that are halted, in the order of the tree, at most 100. */
export function haltedNames(tree: { allCells(): Iterable<AgentCell> }): string[] {
  const names: string[] = [];
  for (const cell of tree.allCells()) {
    if (names.length >= namedCountMax) break;
    if (cell.isHalted) names.push(cell.name);
  }
  return names;
}
