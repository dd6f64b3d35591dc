import type { Kernel, Log, StateStore } from "../core/index.ts";
import type { ControlChannel, Exchange } from "../links/index.ts";
import type { NetworkedRuntime, TreeFiles } from "../runtime/index.ts";

/** What the workers of a topology are reached by. */
export interface WorkersInit {
  readonly kernel: Kernel;
  readonly exchange: Exchange;
  readonly channel: ControlChannel;
  readonly log: Log;
  /** Tells topologies apart: a worker of another one is refused. */
  readonly topologyHash: string;
  /** What the tree was made from, for workers that have an earlier one, or none. */
  readonly files?: TreeFiles["files"] | undefined;
  /** Called with the id of a process that was a worker and is gone. */
  readonly onLost: (processId: string) => void;
  /** Id of this process. */
  readonly processId: string;
  /** What it belongs to. */
  readonly runtime: Pick<NetworkedRuntime, "tree" | "onEvent" | "typeOfClass">;
  /** Settles when other processes reach a name of this one. */
  readonly isReached: (name: string) => Promise<void>;
  /** {@inheritDoc ConnectionOptions.sharedGroups} */
  readonly sharedGroups?: ReadonlySet<string> | undefined;
  /** {@inheritDoc ConnectionOptions.openGroupStates} */
  readonly openGroupStates?: ((group: string) => Promise<StateStore>) | undefined;
  /** Takes the names of all agents, whose messages a broker may keep. */
  readonly nameAgents: (names: ReadonlySet<string>) => void;
}
