import type { BudgetReport, JsonObject, SupervisorNode } from "../core/index.ts";
import type { Fact, Life, OpenCall, Request, Sent } from "./fact.ts";
import type { TreePlan } from "./tree-plan.ts";
import type { Runtime, RuntimeSnapshot } from "../runtime/index.ts";

/** What an invariant may look at. */
export interface View {
  /** Monotonic virtual time. */
  readonly atMs: number;
  /** The tree as it was described. */
  readonly plan: TreePlan;
  /** The latest incarnation of each name. */
  readonly lives: ReadonlyMap<string, Life>;
  readonly openCalls: ReadonlySet<OpenCall>;
  /** What was asked for from outside and is not done. */
  readonly openRequests: ReadonlySet<Request>;
  /** Messages that the transport took, that nobody has begun to handle and that were not dropped. */
  readonly waiting: ReadonlySet<Sent>;
  /** How often there was nothing left to do but wait for timers. */
  readonly quietCount: number;
  /** Monotonic virtual time at which somebody asked the runtime to stop. */
  readonly stopAskedAtMs: number | undefined;
  /** How often a state could not be saved because of a fault: of the store, or of `onPassivate`. */
  readonly savingFailureCount: () => number;
  /** How long a stop waits for what was accepted, in milliseconds. */
  readonly graceMs: number;
  /** Messages that the transport took, and those of them that are on their way. */
  readonly sentCount: number;
  readonly inTransitCount: number;
  /** Sent messages whose sender no longer waited when they could have been taken in. */
  readonly unwantedCount: number;
  /** Messages in mailboxes and in the lines of senders before them. */
  readonly queuedCount: () => number;
  /** True once `Runtime.stop` has ended. */
  readonly isStopped: boolean;
  /** True when anything started, ended or was decided since the last quiet point. */
  readonly isChanged: boolean;
  readonly snapshot: () => RuntimeSnapshot;
  /** How many messages were handled and dropped, and the budgets of model calls: of a snapshot the parts that cost little. */
  readonly messageCounts: () => ReturnType<Runtime["messageCounts"]>;
  readonly budgets: () => readonly BudgetReport[];
  /** The tree as it is; made once a step. */
  readonly tree: () => SupervisorNode;
  /** One supervisor of the tree, with all below it; made once a step. */
  readonly supervisorNode: (name: string) => SupervisorNode | undefined;
  /** What an agent holds in its state now; undefined while it does not run. */
  readonly stateOf: (name: string) => JsonObject | undefined;
  /** Whether an agent is suspended: its crashes do not count as others do. */
  readonly isSuspended: (name: string) => boolean;
  /** Whether the code of an incarnation has no effect any more. */
  readonly isOver: (life: Life) => boolean;
}

/** Something that must hold in every run. Each member answers what is broken, or undefined. */
export interface Invariant {
  readonly name: string;
  /** Asked about each thing as it happens. */
  readonly onFact?: (fact: Fact, view: View) => string | undefined;
  /** Asked whenever nothing is left to do but wait for timers. */
  readonly onQuiet?: (view: View) => string | undefined;
  /** Asked once, when the tree has stopped. */
  readonly onEnd?: (view: View) => string | undefined;
}
