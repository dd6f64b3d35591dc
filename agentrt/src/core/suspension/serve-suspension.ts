import type { Log, System } from "../ports/index.ts";
import { agentErrors } from "../errors.ts";
import type { JsonObject } from "../values/index.ts";
import type {
  AgentSuspension,
  SuspensionEvent,
  SuspensionMarker,
  SuspensionRequest,
} from "./suspension.ts";

/** The part of an agent that hears of its suspension. */
interface SuspendedAgent {
  readonly name: string;
  readonly state: JsonObject;
  onSuspend(reason: string): void | PromiseLike<void>;
  onResume(approver: string): void | PromiseLike<void>;
  onApproval(approval: object): void | PromiseLike<void>;
}

/** What a suspension asks about the approvals that it is for. */
export interface SuspensionApprovals {
  isPending(id: string): boolean;
  isOpen(id: string): boolean;
  isToHand(id: string): boolean;
  /** True once what was saved of an agent is read; before, an id that nobody knows may be known later. */
  isLoaded(agent: string): boolean;
  /** Reads what was saved of an agent, where that is not done. */
  load(agent: string): Promise<void>;
  principalOf(id: string): string;
  confirmGate(id: string): void;
  confirmDelivered(id: string): void;
  hand(id: string, agent: Pick<SuspendedAgent, "onApproval">): Promise<void>;
  /** Has the agent asked again, some time later. */
  retryLater(agent: string): void;
}

/** The incarnation whose suspension changes. */
export interface SuspensionTarget {
  readonly agent: SuspendedAgent;
  readonly kernel: {
    readonly system: System;
    readonly approvals: SuspensionApprovals;
    emit(event: SuspensionEvent): void;
  };
  readonly log: Log;
  /** The saved state. Its marker is saved with it. */
  readonly checkpoints: {
    marker: SuspensionMarker | undefined;
    /** The drain that is under way. */
    drain: SuspensionMarker | undefined;
    /** With `handed`, the agent waits for that approval no more once it is saved. */
    write(state: object, options?: { readonly handed?: string | undefined }): Promise<void>;
    rewrite(handed?: string): Promise<void>;
  };
  readonly suspension: AgentSuspension;
  /** True while the group that it is of is suspended as a whole: it is given no decisions then. */
  readonly isGroupHeld: boolean;
  /** True when it has ended: the state and the suspension are those of the next one then. */
  isOver(): boolean;
  setStatus(status: "RUNNING" | "SUSPENDED"): void;
  /** Called when a decision was the last thing that the agent waited for. */
  onFree(): void;
  /** Runs a hook within its time limit. */
  inTime(hook: string, result: void | PromiseLike<void>): Promise<void>;
}

/**
 * Serves a request about the suspension of an agent, between two of its messages. The order on entering is status, marker,
 * hook, save, event; on leaving marker, status, save, hook, event. A decision is given before it is saved that the agent
 * has it: it may be given twice, never not at all.
 *
 * @param target The incarnation.
 * @param request What was asked.
 * @throws What `onResume` and `onApproval` throw.
 */
export async function serveSuspension(
  target: SuspensionTarget,
  request: SuspensionRequest,
): Promise<void> {
  switch (request.kind) {
    case "suspend":
      try {
        // Without one it is in effect at once: a group hands out messages meanwhile.
        if (request.approval !== undefined) await request.approval.saved;
      } catch (error) {
        // Who asked hears of it, too: there is nothing to wait for.
        return request.onGone(error as Error);
      }
      if (target.isOver()) return request.onGone(stoppedError(target));
      await suspend(target, request);
      break;
    case "resume": {
      const missing = await loadFault(target);
      if (missing !== undefined) return request.onGone(missing);
      if (target.isOver()) return request.onGone(stoppedError(target));
      const pending = pendingIn(target);
      if (pending.length > 0) return request.onGone(waitsError(target, pending));
      await resume(target, request);
      break;
    }
    case "deliver":
      await deliver(target, request.id);
      break;
    default:
      request satisfies never;
  }
  request.onDone();
}

async function suspend(
  target: SuspensionTarget,
  request: SuspensionRequest & { kind: "suspend" },
): Promise<void> {
  const { agent, kernel, log, checkpoints } = target;
  const { reason, category, initiatedBy, approval } = request;
  // It may be over by now, or this may be the second time that it is asked for.
  if (approval !== undefined && !kernel.approvals.isOpen(approval.id)) return;
  const earlier = checkpoints.marker;
  const isKnown = approval !== undefined && earlier?.approvals.includes(approval.id) === true;
  const nowMs = kernel.system.nowMs();
  // One that is drained takes no new messages until it is resumed, whatever else it is suspended for.
  const isDrained =
    request.isDrained === true || earlier?.isDrained === true || checkpoints.drain !== undefined;
  target.setStatus("SUSPENDED");
  if (!isKnown) {
    const approvals = [
      ...(earlier?.approvals ?? []),
      ...(approval === undefined ? [] : [approval.id]),
    ];
    const suspended = {
      reason,
      category,
      since: earlier?.since ?? nowMs / 1000,
      initiatedBy,
      isDrained,
      approvals,
      isHeld: approval === undefined || earlier?.isHeld === true || isDrained,
    };
    // One that was halted meanwhile stays so, whatever it waits for besides.
    checkpoints.marker = earlier?.isHalted === true ? { ...earlier, approvals } : suspended;
    if (request.isDrained === true) checkpoints.drain = undefined;
    log.info("agent suspended", { reason, category, initiatedBy });
  }
  if (earlier === undefined) {
    try {
      await target.inTime("onSuspend", agent.onSuspend(reason));
    } catch (error) {
      log.error("onSuspend failed; the agent is suspended all the same", { error });
    }
  }
  target.suspension.isDurable = await save(target, "the suspension does not survive the process");
  const { isDurable } = target.suspension;
  if (!isKnown) {
    const event = { name: agent.name, atMs: nowMs, reason, category, initiatedBy };
    kernel.emit({ type: "agent.suspended", ...event, isDurable, isDrained });
  }
  if (approval === undefined) return;
  if (isDurable) kernel.approvals.confirmGate(approval.id);
  else kernel.approvals.retryLater(agent.name);
}

async function resume(
  target: SuspensionTarget,
  { approver }: SuspensionRequest & { kind: "resume" },
): Promise<void> {
  const { agent, log, checkpoints } = target;
  const { marker, drain } = checkpoints;
  const gone = goneIn(target);
  if (marker?.isHeld !== true && drain === undefined && gone.length === 0) return;
  const approvals = (marker?.approvals ?? []).filter((id) => !gone.includes(id));
  const isOver = approvals.length === 0;
  checkpoints.marker =
    marker === undefined || isOver
      ? undefined
      : { ...marker, approvals, isHeld: false, isDrained: false };
  checkpoints.drain = undefined;
  if (marker !== undefined && isOver) target.setStatus("RUNNING");
  if (gone.length === 0) log.info("agent resumed", { approver });
  else log.warn("agent resumed; it waits no more for approvals that are gone", { approver, gone });
  await save(target, "after a restart of the process the agent is suspended again");
  if (marker !== undefined) await target.inTime("onResume", agent.onResume(approver));
  if (isOver) tellResumed(target, approver, gone);
  // What was decided meanwhile.
  for (const id of approvals) await deliver(target, id);
}

async function deliver(target: SuspensionTarget, id: string): Promise<void> {
  const { agent, kernel, checkpoints, isGroupHeld, suspension } = target;
  const { approvals } = kernel;
  const { marker } = checkpoints;
  if (!approvals.isToHand(id) || isGroupHeld || target.isOver()) return;
  // It has it already: the process was killed before that was said.
  if (marker?.approvals.includes(id) !== true) return approvals.confirmDelivered(id);
  if (marker.isHeld) return;
  if (!suspension.handed.has(id)) {
    await target.inTime("onApproval", approvals.hand(id, agent));
    // The next one gets it, too.
    if (target.isOver()) return;
    suspension.handed.add(id);
  }
  // The gate stays until it is saved what the agent did.
  if (!(await saveWhole(target, id))) return approvals.retryLater(agent.name);
  suspension.handed.delete(id);
  if (checkpoints.marker === undefined) {
    const approver = approvals.principalOf(id);
    target.setStatus("RUNNING");
    target.log.info("agent resumed", { approver, approval: id });
    tellResumed(target, approver);
    target.onFree();
  }
  approvals.confirmDelivered(id);
}

function tellResumed(
  { agent, kernel }: SuspensionTarget,
  approver: string,
  goneApprovals: readonly string[] = [],
): void {
  const event = { name: agent.name, atMs: kernel.system.nowMs(), approver };
  const gone = goneApprovals.length === 0 ? {} : { goneApprovals };
  kernel.emit({ type: "agent.resumed", ...event, ...gone });
}

/** What keeps the approvals from being read; undefined where they are, or where the agent waits for none. */
async function loadFault(target: SuspensionTarget): Promise<Error | undefined> {
  const { agent, checkpoints, kernel } = target;
  const { approvals } = kernel;
  const isWaiting = (checkpoints.marker?.approvals ?? []).length > 0;
  if (!isWaiting || approvals.isLoaded(agent.name)) return undefined;
  try {
    await approvals.load(agent.name);
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

/** Ids that nobody can decide about any more: the approvals are lost, or were given to an earlier life of the name. */
function goneIn({ checkpoints, kernel }: SuspensionTarget): string[] {
  const ids = checkpoints.marker?.approvals ?? [];
  return ids.filter((id) => !kernel.approvals.isOpen(id));
}

function pendingIn({ checkpoints, kernel }: SuspensionTarget): string[] {
  const ids = checkpoints.marker?.approvals ?? [];
  return ids.filter((id) => kernel.approvals.isPending(id));
}

function stoppedError({ agent }: SuspensionTarget): Error {
  return new agentErrors.STOPPED({ agent: agent.name });
}

function waitsError({ agent }: SuspensionTarget, ids: readonly string[]): Error {
  return new agentErrors.APPROVAL_PENDING({ agent: agent.name, ids });
}

/** Saves the whole state with its marker; a state that is not JSON, or is of one that is over, leaves the one saved last. */
async function save(target: SuspensionTarget, otherwise: string): Promise<boolean> {
  const { agent, log, checkpoints } = target;
  try {
    await (target.isOver() ? checkpoints.rewrite() : checkpoints.write(agent.state));
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

/** The same, but never an older state in the place of one that can be saved later. */
async function saveWhole(
  { agent, log, checkpoints }: SuspensionTarget,
  handed: string,
): Promise<boolean> {
  try {
    await checkpoints.write(agent.state, { handed });
    return true;
  } catch (error) {
    const isOfAgent =
      error instanceof agentErrors.STATE_NOT_JSON ||
      error instanceof agentErrors.STATE_KEY_RESERVED;
    log.warn("what an agent did with an approval could not be saved", { error });
    if (!isOfAgent) return false;
  }
  try {
    await checkpoints.rewrite(handed);
    return true;
  } catch {
    return false;
  }
}
