import type { Log, System } from "../ports/index.ts";
import type { SuspensionEvent, SuspensionMarker } from "./suspension.ts";

/** The place of an agent that is halted. */
export interface HaltTarget {
  readonly name: string;
  readonly kernel: {
    readonly system: System;
    readonly log: Log;
    emit(event: SuspensionEvent): void;
  };
  readonly checkpoints: {
    marker: SuspensionMarker | undefined;
    rewrite(): Promise<void>;
  };
}

/** Who halts an agent, and why. */
export interface Halt {
  readonly reason: string;
  /** Name of the eval agent. */
  readonly initiatedBy: string;
}

/**
 * Halts an agent: from now on no start of it goes through, until somebody resumes it. What it was suspended for before
 * waits on.
 *
 * @param target The agent, which is to stop at its next message boundary.
 * @param halt Who, and why.
 * @returns Whether it is saved, and so survives the process.
 */
export async function haltAgent(
  { name, kernel, checkpoints }: HaltTarget,
  { reason, initiatedBy }: Halt,
): Promise<boolean> {
  const earlier = checkpoints.marker;
  const sinceMs = kernel.system.nowMs();
  checkpoints.marker = {
    reason,
    category: "governance_pause",
    since: sinceMs / 1000,
    initiatedBy,
    isDrained: earlier?.isDrained,
    approvals: earlier?.approvals ?? [],
    isHeld: true,
    isHalted: true,
  };
  kernel.log.warn("agent is halted", { agent: name, by: initiatedBy, reason });
  let isDurable = true;
  try {
    await checkpoints.rewrite();
  } catch (error) {
    isDurable = false;
    const otherwise = "the halt does not survive the process";
    kernel.log.error("a halt could not be saved", { agent: name, otherwise, error });
  }
  const atMs = kernel.system.nowMs();
  const halted = { name, atMs, reason, initiatedBy, sinceMs, isDurable };
  kernel.emit({ type: "agent.halted", ...halted, isFound: false });
  return isDurable;
}

/**
 * Says that an agent was found halted as it was about to start.
 *
 * @param target The agent.
 * @param level Of the line in the log.
 */
export function tellHalted(
  { name, kernel, checkpoints }: HaltTarget,
  level: "info" | "warn",
): void {
  const { reason = "", initiatedBy = "", since = 0 } = checkpoints.marker ?? {};
  const sinceMs = since * 1000;
  const isoTime = new Date(sinceMs).toISOString();
  const fields = { agent: name, by: initiatedBy, since: isoTime, reason };
  kernel.log[level]("agent is halted and does not start before somebody resumes it", fields);
  const atMs = kernel.system.nowMs();
  const halted = { name, atMs, reason, initiatedBy, sinceMs, isDurable: true };
  kernel.emit({ type: "agent.halted", ...halted, isFound: true });
}
