import type { Log, System } from "../ports/index.ts";
import type { JsonObject } from "../values/index.ts";
import type {
  AgentSuspension,
  SuspensionEvent,
  SuspensionMarker,
  SuspensionRequest,
} from "./suspension.ts";

/** The incarnation whose suspension changes. */
export interface SuspensionTarget {
  readonly agent: {
    readonly name: string;
    readonly state: JsonObject;
    onSuspend(reason: string): void | PromiseLike<void>;
    onResume(approver: string): void | PromiseLike<void>;
  };
  readonly kernel: {
    readonly system: System;
    emit(event: SuspensionEvent): void;
  };
  readonly log: Log;
  /** The saved state. Its marker is saved with it. */
  readonly checkpoints: {
    marker: SuspensionMarker | undefined;
    /** The drain that is under way. */
    drain: SuspensionMarker | undefined;
    write(state: object): Promise<void>;
    rewrite(): Promise<void>;
  };
  readonly suspension: AgentSuspension;
  setStatus(status: "RUNNING" | "SUSPENDED"): void;
  /** Runs a hook within its time limit. */
  inTime(hook: string, result: void | PromiseLike<void>): Promise<void>;
}

/**
 * Serves a request to suspend or resume an agent, between two of its messages. The order on entering is
 * status, marker, hook, save, event; on leaving marker, status, save, hook, event.
 *
 * @param target The incarnation.
 * @param request What was asked.
 * @throws What `onResume` throws.
 */
export async function serveSuspension(
  target: SuspensionTarget,
  request: SuspensionRequest,
): Promise<void> {
  if (request.kind === "suspend") await suspend(target, request);
  else await resume(target, request);
  request.onDone();
}

async function suspend(
  target: SuspensionTarget,
  request: SuspensionRequest & { kind: "suspend" },
): Promise<void> {
  const { agent, kernel, log, checkpoints } = target;
  const { reason, category, initiatedBy } = request;
  const earlier = checkpoints.marker;
  const nowMs = kernel.system.nowMs();
  // One that is drained takes no new messages until it is resumed, whatever else it is suspended for.
  const isDrained =
    request.isDrained === true || earlier?.isDrained === true || checkpoints.drain !== undefined;
  target.setStatus("SUSPENDED");
  const since = earlier?.since ?? nowMs / 1000;
  checkpoints.marker = { reason, category, since, initiatedBy, isDrained };
  if (request.isDrained === true) checkpoints.drain = undefined;
  log.info("agent suspended", { reason, category, initiatedBy });
  if (earlier === undefined) {
    try {
      await target.inTime("onSuspend", agent.onSuspend(reason));
    } catch (error) {
      log.error("onSuspend failed; the agent is suspended all the same", { error });
    }
  }
  target.suspension.isDurable = await save(target, "the suspension does not survive the process");
  const { isDurable } = target.suspension;
  const event = { name: agent.name, atMs: nowMs, reason, category, initiatedBy, isDurable };
  kernel.emit({ type: "agent.suspended", ...event });
}

async function resume(
  target: SuspensionTarget,
  { approver }: SuspensionRequest & { kind: "resume" },
): Promise<void> {
  const { agent, kernel, log, checkpoints } = target;
  const { marker, drain } = checkpoints;
  if (marker === undefined && drain === undefined) return;
  checkpoints.marker = undefined;
  checkpoints.drain = undefined;
  if (marker !== undefined) target.setStatus("RUNNING");
  log.info("agent resumed", { approver });
  await save(target, "after a restart of the process the agent is suspended again");
  if (marker !== undefined) await target.inTime("onResume", agent.onResume(approver));
  kernel.emit({ type: "agent.resumed", name: agent.name, atMs: kernel.system.nowMs(), approver });
}

/** Saves the whole state with its marker; a state that is not JSON leaves the one that was saved last. */
async function save(target: SuspensionTarget, otherwise: string): Promise<boolean> {
  const { agent, log, checkpoints } = target;
  try {
    await checkpoints.write(agent.state);
    return true;
  } catch (error) {
    log.warn("the state could not be saved; trying with the one that was saved last", { error });
  }
  try {
    await checkpoints.rewrite();
    return true;
  } catch (error) {
    log.error("a suspension could not be saved", { otherwise, error });
    return false;
  }
}
