import type { ChildExit, StopOptions } from "./child-driver.ts";
import type { Job, PendingRestart, Slot } from "./supervisor-job.ts";

/** What arrives in a supervisor's mailbox. */
export type SupervisorMessage =
  | { readonly kind: "boot" }
  | { readonly kind: "childStarted"; readonly slot: Slot; readonly epoch: number }
  | {
      readonly kind: "childStartFailed";
      readonly slot: Slot;
      readonly epoch: number;
      readonly error: unknown;
    }
  | {
      readonly kind: "childExited";
      readonly slot: Slot;
      readonly epoch: number;
      readonly exit: ChildExit;
    }
  | {
      readonly kind: "childDown";
      readonly slot: Slot;
      readonly job: Job;
      readonly lateNames: readonly string[];
    }
  | { readonly kind: "restartDue"; readonly pending: PendingRestart }
  | {
      readonly kind: "stopChild";
      readonly slot: Slot;
      readonly onDone: (lateNames: readonly string[]) => void;
    }
  | { readonly kind: "reviveChild"; readonly slot: Slot; readonly onDone: () => void }
  | { readonly kind: "kill"; readonly error: Error }
  | { readonly kind: "stop"; readonly options: StopOptions; readonly startCount: number };

/**
 * Says whether a message waits while the supervisor stops and starts children.
 *
 * @param message What arrived.
 * @returns True for what may begin a job of its own.
 */
export function isDeferrable(message: SupervisorMessage): boolean {
  switch (message.kind) {
    case "childExited":
    case "restartDue":
    case "stopChild":
    case "reviveChild":
      return true;
    default:
      return false;
  }
}
