import type { Agent, ChildrenPort, SpawnRequest } from "../agents/index.ts";
import type { Approvals } from "../approvals/index.ts";
import type { AgentSpec } from "./agent-spec.ts";
import type { Bus } from "./bus.ts";
import type { ChildDriver, SpawnedDriver } from "./child-driver.ts";
import type { CrashTrails } from "./crash-trail.ts";
import type { RuntimeEvent } from "./events.ts";
import type { BudgetsAbove, ModelBudget, ModelUses, NamedModel, PartsInUse } from "../llm/index.ts";
import type { OwnerContext } from "./owner-context.ts";
import type { SupervisorSpec } from "./supervisor-spec.ts";
import type { OwnSpans } from "./own-spans.ts";
import type { Resilience } from "../resilience/index.ts";
import type {
  CoarseClock,
  Log,
  ResidentLoops,
  Scheduler,
  StateStore,
  StoreFaults,
  System,
  TimerWheel,
} from "../ports/index.ts";
import type { Registry, Tracer } from "../messages/index.ts";
import type { ToolSet } from "../tools/index.ts";

/** Which agents of a tree are in another process. */
export interface Placement {
  /**
   * Builds the driver of an agent in another process, under its name in the registry.
   *
   * @returns Undefined for an agent of this process.
   * @throws AGENTRT_SUPERVISION_DUPLICATE_NAME when the name is taken.
   */
  driverOf(spec: AgentSpec, kernel: Kernel): DriverElsewhere | undefined;
  /**
   * Builds the driver of a pool or a keyed agent that is on workers, under its name in the registry.
   *
   * @returns Undefined for one of this process.
   * @throws AGENTRT_SUPERVISION_DUPLICATE_NAME when the name is taken.
   */
  spreadOf?(spec: SupervisorSpec, kernel: Kernel): DriverElsewhere | undefined;
  /**
   * Builds the driver of a child that is spawned into another process, under its name in the registry.
   *
   * @throws AGENTRT_SUPERVISION_DUPLICATE_NAME; AGENTRT_SPAWN_CLASS_NOT_LOADED for a class that only this process knows.
   */
  spawnedOf?(child: SpawnedElsewhere, kernel: Kernel): SpawnedDriver & DriverElsewhere;
  /**
   * Says that this process has only a part of a pool or a keyed agent, and begins with none of it; or an agent that is at one of
   * several processes, and that it begins without that.
   *
   * @returns What its actors share: its names are in a separate registry. Undefined for a whole.
   */
  hostOf?(spec: AgentSpec | SupervisorSpec, kernel: Kernel): Kernel | undefined;
  /**
   * Takes out what `hostOf` was asked about.
   *
   * @returns Puts it back; undefined for a name that is not such a one.
   */
  unhost?(name: string): (() => void) | undefined;
}

/** A child that is spawned into another process. */
export interface SpawnedElsewhere {
  readonly spec: AgentSpec;
  /** Name of the process group that it is to run in. */
  readonly process: string;
  /** The dynamic supervisor, for errors. */
  readonly supervisor: string;
  readonly request: SpawnRequest;
}

/** Drives an agent of another process. */
export interface DriverElsewhere extends ChildDriver {
  /** True while it is wanted that it runs. */
  readonly isWanted: boolean;
  /** Lets it begin again there, behind its message at hand, as behind a crash; its process is there, or it throws. */
  requestRestart(request: { readonly initiatedBy: string; readonly isCharged: boolean }): void;
  /** It is described differently, and its process has let it begin again; the kernel is what its place shares. */
  describeAnew?(spec: AgentSpec | SupervisorSpec, kernel: Kernel): void;
}

/** What every actor of one runtime shares. Made once, by the runtime; nothing in it is global. */
export interface Kernel {
  readonly system: System;
  readonly wheel: TimerWheel;
  readonly scheduler: Scheduler;
  readonly registry: Registry;
  readonly bus: Bus;
  readonly store: StateStore;
  /** What the store threw that may be over some time by itself. */
  readonly storeFaults: StoreFaults;
  readonly log: Log;
  /** What agents asked people to approve. */
  readonly approvals: Approvals;
  readonly residentLoops: ResidentLoops;
  /** Dates the handling of messages, while somebody looks. */
  readonly coarseClock: CoarseClock;
  /** The dynamic supervisors of the tree. */
  readonly children: ChildrenPort;
  /** The model providers, the default one first; none without it. */
  readonly models?: readonly NamedModel[] | undefined;
  /** What calls of models count against below this place of the tree; nothing without it. */
  readonly budget?: ModelBudget | undefined;
  /** Budgets of another process that calls of models of this one count against, too; nothing without it. */
  readonly budgetsAbove?: BudgetsAbove | undefined;
  /** Sums of all agents by model, those that are gone included. */
  readonly modelUses?: ModelUses | undefined;
  /** What agents may use by `this.tools`; nothing without it. */
  readonly tools?: ToolSet | undefined;
  /** Which providers and sources of tools have calls that run; none are counted without it. */
  readonly partsInUse?: PartsInUse | undefined;
  /** What is done about calls that fail; nothing without it. */
  readonly resilience?: Resilience | undefined;
  /** Where spans go; without it none are made. */
  readonly tracer?: Tracer | undefined;
  /** Finds the span of an agent's own that code is in; there where a tracer is. */
  readonly ownSpans?: OwnSpans | undefined;
  /** Finds the incarnation whose code is running, over awaits, timers and event handlers. */
  readonly faultOwner: OwnerContext;
  /** Builds the drivers of agents that belong to other processes; undefined where all are in this one. */
  readonly placement?: Placement | undefined;
  /** Remembers what agents did lately, for the record of a crash; nothing is remembered without it. */
  readonly crashTrails?: CrashTrails | undefined;
  /** Called with each agent object before its state is restored and it starts: simulations watch and disturb it. */
  readonly onCreated?: ((agent: Agent) => void) | undefined;
  /** Tells the watchers what happened; must not throw. */
  emit(event: RuntimeEvent): void;
}
