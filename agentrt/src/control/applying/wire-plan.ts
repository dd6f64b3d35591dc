/** A node in `POST /plan` and `POST /apply`: one that is not kept. */
export interface PlannedNodeBody {
  readonly name: string;
  /** As files name it: `agent`, `supervisor`, `pool`, … */
  readonly kind: string;
  /** `stop`, `start`, `restart`, `move` (it runs on elsewhere) or `change` (a supervisor runs on by other settings). */
  readonly action: string;
  /** The supervisor above it; null for the root. */
  readonly parent: string | null;
  /** The supervisor that it comes from; null where that is the same one. */
  readonly moved_from: string | null;
  /** One line each: what is described differently. */
  readonly because: readonly string[];
  /** Messages that are handled at this moment, and that wait. */
  readonly messages_at_hand: number;
  readonly messages_waiting: number;
  /** Spawned children or keys that end with it: how many, and the first names. */
  readonly children_count: number;
  readonly children: readonly string[];
  /** Siblings that a crash of it restarts, too, by the strategy of the new file. */
  readonly crash_restarts: readonly string[];
}

/** Body of `POST /plan`. */
export interface PlanBody {
  /** False when the files say the same. */
  readonly changes: boolean;
  /** How many nodes are stopped, started, restarted, moved, changed and kept. */
  readonly counts: { readonly [action: string]: number };
  /** In the order of the steps; without those that are kept. */
  readonly nodes: readonly PlannedNodeBody[];
  /** Model providers and tool servers that are opened, closed or replaced. */
  readonly parts: readonly {
    readonly kind: string;
    readonly name: string;
    readonly action: string;
  }[];
  /** Process groups that something changes for and that have no worker: they get it when one comes. */
  readonly workers_away: readonly string[];
  /** What needs a restart of the process, one line each; with any, `/apply` refuses. */
  readonly needs_restart: readonly string[];
}

/** Body of `POST /apply` and `GET /apply`. */
export interface ApplyBody {
  /** `applied`, `applying`, `failed`; of GET also `none`. */
  readonly status: string;
  /** Agents that did not stop in time; there when it is applied. */
  readonly late?: readonly string[];
  /** When it ended, or began: seconds since the Unix epoch. */
  readonly timestamp?: number;
  /** Why it failed, and by which code; there when it did. */
  readonly error?: string;
  readonly code?: string;
  /** What was done, of POST. */
  readonly plan?: PlanBody;
}
