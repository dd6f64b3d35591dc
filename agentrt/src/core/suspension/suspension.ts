import { agentErrors } from "../errors.ts";
import type { JsonObject, JsonValue } from "../values/index.ts";

/** Why an agent is suspended. */
export type SuspendCategory = "other" | "hitl_approval" | "governance_pause";

/** The categories, the default one first. */
export const suspendCategories: readonly SuspendCategory[] = [
  "other",
  "hitl_approval",
  "governance_pause",
];

/** A suspension, as it is saved with the state of the agent. */
export interface SuspensionMarker {
  readonly reason: string;
  readonly category: SuspendCategory;
  /** Seconds since the Unix epoch, with fractions. */
  readonly since: number;
  /** Who asked for it; undefined in what an older version has saved. */
  readonly initiatedBy?: string | undefined;
  /** True for one that was drained: it takes no new messages until it is resumed. */
  readonly isDrained?: boolean | undefined;
  /** Ids of the approvals that it waits for, or that it has not got yet: it goes on when there is none left. */
  readonly approvals: readonly string[];
  /** True when it waits for a resume as well: somebody has suspended it for another reason than an approval. */
  readonly isHeld: boolean;
  /** True for one that an eval agent has halted: it does not start before somebody resumes it. */
  readonly isHalted?: boolean | undefined;
}

/** A suspension as a picture of the tree shows it. */
export interface SuspensionNode {
  readonly reason: string;
  readonly category: SuspendCategory;
  /** Wall-clock milliseconds since the Unix epoch. */
  readonly sinceMs: number;
  /** False when it could not be saved: it does not survive the process. */
  readonly isDurable: boolean;
  /** Who asked for it; null where nobody knows. */
  readonly initiatedBy: string | null;
  /** True for one that was drained: it takes no new messages until it is resumed. */
  readonly isDrained: boolean;
  /** Ids of the approvals that it waits for; absent for none. */
  readonly approvals?: readonly string[];
  /** There for one that `initiatedBy`, an eval agent, has halted. */
  readonly isHalted?: true;
}

/** A request to suspend or resume an agent, or to give it a decision, served between two messages. */
export type SuspensionRequest = (
  | {
      readonly kind: "suspend";
      readonly reason: string;
      readonly category: SuspendCategory;
      readonly initiatedBy: string;
      /** True at the end of a drain. Default false. */
      readonly isDrained?: boolean | undefined;
      /** What it waits for, when it is an approval: nobody needs to resume it then. */
      readonly approval?: {
        readonly id: string;
        /** Settles once it is saved. */
        readonly saved: Promise<void>;
      };
    }
  | { readonly kind: "resume"; readonly approver: string }
  | { readonly kind: "deliver"; readonly id: string }
) & {
  readonly onDone: () => void;
  readonly onGone: (error: Error) => void;
};

/** What a drain is begun with. */
export interface DrainRequest {
  readonly reason: string;
  readonly initiatedBy: string;
}

/** What watchers see of a suspension. */
export type SuspensionEvent =
  | {
      /** It takes nothing new, and is suspended when it has finished. */
      readonly type: "agent.draining";
      readonly name: string;
      readonly atMs: number;
      readonly reason: string;
      readonly initiatedBy: string;
    }
  | {
      readonly type: "agent.suspended";
      readonly name: string;
      readonly atMs: number;
      readonly reason: string;
      readonly category: SuspendCategory;
      readonly initiatedBy: string;
      /** False when it could not be saved: it does not survive the process. */
      readonly isDurable: boolean;
      /** True for one that takes no new messages until it is resumed. */
      readonly isDrained: boolean;
    }
  | {
      /** An eval agent has stopped it until somebody resumes it. */
      readonly type: "agent.halted";
      readonly name: string;
      readonly atMs: number;
      readonly reason: string;
      /** Name of the eval agent. */
      readonly initiatedBy: string;
      /** When that was. */
      readonly sinceMs: number;
      /** True when it was found halted as it was about to start: nobody has halted it now. */
      readonly isFound: boolean;
      /** False when it could not be saved: it does not survive the process. */
      readonly isDurable: boolean;
    }
  | {
      readonly type: "agent.resumed";
      readonly name: string;
      readonly atMs: number;
      readonly approver: string;
      /** Ids of approvals that it had waited for and that nobody knows any more; absent for none. */
      readonly goneApprovals?: readonly string[] | undefined;
    };

/** The key of the marker in the saved state; user states must not use it. */
export const suspensionKey = "_agentrt.suspended";

/**
 * Adds a marker to a state.
 *
 * @param state The user's state.
 * @param marker The suspension.
 * @returns What is saved.
 */
export function withMarker(state: JsonObject, marker: SuspensionMarker): JsonObject {
  const { reason, category, since, initiatedBy, isDrained, approvals, isHeld, isHalted } = marker;
  return {
    ...state,
    [suspensionKey]: {
      reason,
      since,
      approver: null,
      category,
      ...(initiatedBy === undefined ? {} : { initiated_by: initiatedBy }),
      ...(isDrained === true ? { drained: true } : {}),
      ...(isHalted === true ? { halted: true } : {}),
      ...(approvals.length === 0 ? {} : { approvals: [...approvals], held: isHeld }),
    },
  };
}

/**
 * Takes the marker out of a saved state.
 *
 * @param saved What the store gave; its marker may have been written by hand.
 * @returns The user's state, undefined when nothing but the marker was saved; and the marker, if there is one.
 */
export function splitMarker(saved: JsonObject): {
  readonly state: JsonObject | undefined;
  readonly marker: SuspensionMarker | undefined;
} {
  const { [suspensionKey]: found, ...state } = saved;
  const marker = readMarker(found);
  if (marker === undefined) return { state: saved, marker: undefined };
  return { state: Object.keys(state).length === 0 ? undefined : state, marker };
}

/**
 * Takes an approval out of what an agent waits for.
 *
 * @param marker Its suspension.
 * @param id Of the approval; undefined for none.
 * @returns The suspension as it goes on; undefined when it is over.
 */
export function withoutApproval(
  marker: SuspensionMarker | undefined,
  id: string | undefined,
): SuspensionMarker | undefined {
  if (marker === undefined || id === undefined || !marker.approvals.includes(id)) return marker;
  const approvals = marker.approvals.filter((each) => each !== id);
  return approvals.length === 0 && !marker.isHeld ? undefined : { ...marker, approvals };
}

function readMarker(value: JsonValue | undefined): SuspensionMarker | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const { reason, category, since, initiated_by: initiatedBy } = value;
  const { drained, halted, approvals, held } = value;
  const known = suspendCategories.find((candidate) => candidate === category);
  const ids = Array.isArray(approvals) ? approvals.filter((id) => typeof id === "string") : [];
  return {
    approvals: ids,
    isHeld: ids.length === 0 || held === true || halted === true,
    reason: typeof reason === "string" ? reason : "",
    category: known ?? "other",
    since: typeof since === "number" ? since : 0,
    ...(typeof initiatedBy === "string" ? { initiatedBy } : {}),
    ...(drained === true ? { isDrained: true } : {}),
    ...(halted === true ? { isHalted: true } : {}),
  };
}

/**
 * Makes the picture of a suspension.
 *
 * @param marker The suspension in effect; undefined for none.
 * @param isDurable Whether it is saved.
 */
export function describeMarker(
  marker: SuspensionMarker | undefined,
  isDurable: boolean,
): SuspensionNode | null {
  if (marker === undefined) return null;
  const { reason, category, since, initiatedBy = null, isDrained = false, approvals } = marker;
  const waiting = approvals.length === 0 ? {} : { approvals: [...approvals] };
  const halted = marker.isHalted === true ? ({ isHalted: true } as const) : {};
  const sinceMs = since * 1000;
  return { reason, category, sinceMs, isDurable, initiatedBy, isDrained, ...waiting, ...halted };
}

/** Most requests that wait for one agent's next message boundary. */
export const suspensionRequestCountMax = 100;

/** What waits to be done about the suspension of one agent, over its incarnations. Made with the first request. */
export class AgentSuspension {
  readonly requests: SuspensionRequest[] = [];
  /** Ids of approvals that the incarnation has got, while that is not saved. */
  readonly handed = new Set<string>();
  /** False when the suspension in effect could not be saved. */
  isDurable = true;

  /** Gives up what waits. */
  drop(error: () => Error): void {
    for (const request of this.requests.splice(0)) request.onGone(error());
  }
}

/**
 * Checks the reason for suspending an agent.
 *
 * @throws AGENTRT_AGENT_SUSPENSION_INVALID when it is not text, or empty.
 */
export function checkReason(agent: string, reason: unknown): void {
  checkText(agent, "reason", reason);
}

/**
 * Checks the name of the approver who resumes an agent.
 *
 * @throws AGENTRT_AGENT_SUSPENSION_INVALID when it is not text, or empty.
 */
export function checkApprover(agent: string, approver: unknown): void {
  checkText(agent, "approver", approver);
}

/**
 * Checks a category.
 *
 * @throws AGENTRT_AGENT_SUSPENSION_INVALID when there is none of that name.
 */
export function checkCategory(agent: string, category: unknown): void {
  if (suspendCategories.some((known) => known === category)) return;
  const wanted = `one of ${suspendCategories.join(", ")}`;
  refuse({ agent, option: "category", found: String(category), wanted });
}

function checkText(agent: string, option: string, value: unknown): void {
  if (typeof value === "string" && value.trim() !== "") return;
  const found = typeof value === "string" ? "empty" : `a ${typeof value}`;
  refuse({ agent, option, found, wanted: "some text" });
}

function refuse(details: { agent: string; option: string; found: string; wanted: string }): never {
  throw new agentErrors.SUSPENSION_INVALID(details);
}
