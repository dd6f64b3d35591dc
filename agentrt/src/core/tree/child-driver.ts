import type { Downs } from "../messages/index.ts";
import type { AgentSpec } from "./agent-spec.ts";
import type { AgentStatus, TreeNode } from "./tree-node.ts";

/** How a child ended: by itself, or by a fault. */
export type ChildExit =
  | { readonly kind: "normal" }
  | { readonly kind: "crashed"; readonly error: unknown };

/** How a child is stopped. */
export interface StopOptions {
  /** Monotonic time at which children that still run are abandoned; Infinity leaves it to the children's own limits. */
  readonly deadlineMs: number;
  /** True when no restart follows: queued messages are refused at once, and so is what comes later. */
  readonly isFinal: boolean;
  /**
   * What is handled before: the `message` at hand (the default), the whole `queue` while nothing new is accepted, or
   * nothing: then the message at hand is failed, and `onStop` runs `now`. Of two requests the harder one counts.
   */
  readonly after?: "message" | "queue" | "now" | undefined;
}

/**
 * Starts, stops and kills one child for its supervisor, whatever the child is: an agent of this process, a
 * supervisor, later an agent of another process. The restart engine knows nothing else about its children.
 */
export interface ChildDriver {
  readonly name: string;
  readonly kind: "agent" | "supervisor";
  /** True for one that its supervisor begins without: somebody revives it. Default false. */
  readonly isHeldFirst?: boolean;
  /**
   * Builds and starts a new incarnation. The one before must have ended.
   *
   * @param onExit Called once when the incarnation ends by itself; never after `stop` or `kill` was called.
   * @returns Settles when the start hook is done; rejects after a failed start, when its resources are released.
   */
  start(onExit: (exit: ChildExit) => void): Promise<void>;
  /**
   * Asks the incarnation to end. It is abandoned when it does not end within its own limit or before the deadline. If
   * this is called again meanwhile, the nearer deadline counts.
   *
   * @returns The names of the agents that did not stop in time; empty when nothing runs.
   */
  stop(options: StopOptions): Promise<readonly string[]>;
  /** Ends the incarnation as a crash: the ordinary way of `onExit` follows. */
  kill(error: Error): void;
  /** True for an agent that is to end at a message boundary, because it wants that or somebody else does, and has not ended. */
  readonly isEnding: boolean;
  /** True when it is suspended, or will be as soon as it runs again. */
  readonly isSuspended: boolean;
  /**
   * Tells the watchers of what ended, here and below, what the supervisor has decided. A supervisor that fails upward
   * leaves that to the one above it.
   */
  settleDown(willRestart: boolean): void;
  /** The child is gone for good: forgets everything that would affect a later child of the same name. */
  release(): void;
  /** Refuses what is queued and what comes later, until the next `start`. */
  retire(): void;
  readonly status: AgentStatus;
  /** @returns The child as a plain value. */
  describe(): TreeNode;
}

/** Drives a child that was spawned: an agent of this process or of another one. */
export interface SpawnedDriver extends ChildDriver {
  readonly spec: AgentSpec;
  /** True for one that an eval agent has halted: nothing but a resume starts it. */
  readonly isHalted: boolean;
  /** True while somebody has asked that a halt is lifted. */
  readonly hasLift: boolean;
  /** What its start is at, for errors. */
  readonly startPhase: string;
  /** Who wants to know when it goes down. */
  readonly downs: Downs;
  /** Forgets what it has saved. @returns Settles when that is done; undefined when nothing is saved. */
  forget(): Promise<void> | undefined;
}
