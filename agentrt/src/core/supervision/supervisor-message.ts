import type { StopOptions } from "../tree/index.ts";
import type { ChildExited, Job, Slot } from "./supervisor-job.ts";

/** What arrives in a supervisor's mailbox. */
export type SupervisorMessage =
  | { readonly kind: "boot" }
  | {
      readonly kind: "childStarted";
      readonly slot: Slot;
      readonly epoch: number;
      readonly job: Job;
    }
  | {
      readonly kind: "childStartFailed";
      readonly slot: Slot;
      readonly epoch: number;
      readonly job: Job;
      readonly error: unknown;
    }
  | ChildExited
  | {
      readonly kind: "childDown";
      readonly slot: Slot;
      readonly job: Job;
      readonly lateNames: readonly string[];
    }
  /** What may begin its own job: a request for one child, which is named where it is one of `slots`. */
  | { readonly kind: "request"; readonly serve: () => void; readonly slot?: Slot | undefined }
  /** The restart of a child that crashed. */
  | { readonly kind: "restartDue"; readonly serve: () => void }
  | { readonly kind: "kill"; readonly error: Error }
  /** Its options grow harder while it waits, when it is asked again. */
  | { readonly kind: "stop"; options: StopOptions; readonly startCount: number };

/**
 * Says whether a message waits while the supervisor stops and starts children.
 *
 * @param message What arrived.
 * @returns True for what may begin its own job.
 */
export function isDeferrable(message: SupervisorMessage): boolean {
  return message.kind === "request" || isOfCrash(message);
}

/**
 * Says whether a message concerns only one child: a crash, what follows from one, or a request for a child. Where
 * children are independent of each other, it does not wait until all others have started.
 *
 * @param message What arrived.
 */
export function isOfOneChild(message: SupervisorMessage): boolean {
  return isOfCrash(message) || (message.kind === "request" && message.slot !== undefined);
}

function isOfCrash({ kind }: SupervisorMessage): boolean {
  return kind === "childExited" || kind === "restartDue";
}
