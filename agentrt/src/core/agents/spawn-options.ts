import type { AgentOptions } from "./agent-options.ts";
import type { BudgetOptions } from "../llm/index.ts";
import type { JsonObject } from "../values/index.ts";

/** How a child is spawned: its limits and what `spawn` waits for. */
export interface SpawnOptions extends Omit<AgentOptions, "config"> {
  /** True (the default): settles when the child runs. False: when it is admitted; a failed start is reported later. */
  readonly wait?: boolean | undefined;
  /** Makes the spawn repeatable: while the child lives, the same name with the same token gives that child. */
  readonly token?: string | undefined;
  /** Upper bound on the wait, 1 to 2_147_483_647; default 30_000. A child that was admitted goes on starting. */
  readonly timeoutMs?: number | undefined;
  /** Tags under which the child can be found; default none. */
  readonly capabilities?: readonly string[] | undefined;
  /** Details about the tags; default an empty object. */
  readonly capabilityMetadata?: JsonObject | undefined;
  /**
   * True leaves what the child has saved to the next one of its name when it is ended or ends by itself; false (the
   * default) forgets it then. The state of a child that fails, or whose supervisor stops, stays in any case.
   */
  readonly keepState?: boolean | undefined;
  /** What its model calls may cost, beyond the budgets above it; default nothing bounds them here. Not `per: "key"`. */
  readonly budget?: BudgetOptions | undefined;
  /** Ends the wait with AGENTRT_BUS_CANCELLED. Aborted before the child is admitted, nothing is spawned. */
  readonly signal?: AbortSignal | undefined;
}

/** A child that was spawned. */
export interface SpawnReport {
  readonly name: string;
  /** The dynamic supervisor it runs under. */
  readonly supervisor: string;
  /** True when its start is done; false when it was not waited for. */
  readonly isReady: boolean;
  /** True when it was there already: an earlier spawn had the same name and token. */
  readonly isExisting: boolean;
}

/** How a child is ended softly. */
export interface StopChildOptions {
  /**
   * `"current"` (the default): the message at hand is finished, what is queued is refused. `"all"`: what is queued is
   * handled, too.
   */
  readonly drain?: "current" | "all" | undefined;
  /** Upper bound on the stop, 0 to 2_147_483_647; default 30_000. A child that still runs then is abandoned. */
  readonly timeoutMs?: number | undefined;
}

/** The result of ending a child. */
export interface ChildStopReport {
  /** The child's name when it did not stop in time and was abandoned; else empty. */
  readonly lateNames: readonly string[];
}

/** What `spawn` takes for a class. Whether it derives from `Agent` is checked when the child is admitted. */
export type SpawnableClass = new (name: string, options?: AgentOptions) => object;

/** What an agent tells the runtime to spawn. */
export interface SpawnRequest {
  /** A class, or what stands for one in a topology. The supervisor that is asked checks it. */
  readonly agentClass: SpawnableClass | string;
  readonly name: string;
  readonly config: JsonObject | undefined;
  readonly options: SpawnOptions | undefined;
  /** Name of a dynamic supervisor; undefined for the nearest one. */
  readonly into: string | undefined;
}

/** What an agent tells the runtime to end. */
export interface EndRequest {
  readonly name: string;
  /** `"now"` for a hard end; else how much is handled before. */
  readonly drain: "now" | "current" | "all";
  readonly timeoutMs: number | undefined;
}

/** The way from agents to the dynamic supervisors of their tree. Implemented in `runtime/`. */
export interface ChildrenPort {
  /**
   * @param spawner Name of the agent whose code asks. The runtime knows it; the agent cannot claim another name.
   * @param request What it asks for.
   */
  spawn(spawner: string, request: SpawnRequest): Promise<SpawnReport>;
  /**
   * @param requester Name of the agent whose code asks.
   * @param request What it asks for.
   */
  end(requester: string, request: EndRequest): Promise<ChildStopReport>;
}
