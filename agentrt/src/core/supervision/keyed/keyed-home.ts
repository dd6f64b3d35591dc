import type { Kernel, KeyedPolicy, SupervisorSpec } from "../../tree/index.ts";
import type { JobInit } from "../supervisor-job.ts";
import type { KeyedSlot } from "./keyed-slot.ts";

/** A keyed agent, as its parts see it: the places, the passivation and the crashes of its keys. */
export interface KeyedHome {
  readonly kernel: Kernel;
  readonly spec: SupervisorSpec;
  readonly policy: KeyedPolicy;
  /** True while keys may start. */
  readonly isRunning: boolean;
  /** @returns False for a key that was taken out of the tree, also where there is another one of its name. */
  has(slot: KeyedSlot): boolean;
  /** Takes a step in its turn, when no job of the whole is under way. */
  later(step: () => void): void;
  begin(job: JobInit): void;
  /** Takes a key out of the tree. */
  forget(slot: KeyedSlot): void;
  /** Ends the whole as crashed. */
  fail(error: Error): void;
}
