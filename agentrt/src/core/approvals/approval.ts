import { copyJson, type JsonObject } from "../values/index.ts";
import { approvalErrors } from "./errors.ts";

/** Where an approval is: it is decided once, by somebody or by the time. */
export type ApprovalStatus = "pending" | "approved" | "denied" | "expired";

/** The statuses, the one of those that wait first. */
export const approvalStatuses: readonly ApprovalStatus[] = [
  "pending",
  "approved",
  "denied",
  "expired",
];

/** An approval as a plain value: a picture of one moment. */
export interface ApprovalRecord {
  /** Sorts by the time at which it was asked for. */
  readonly id: string;
  /** Who asked: `refunds`, `ticket/4711`. */
  readonly agent: string;
  /** The key, where the agent is the object of one; else null. */
  readonly key: string | null;
  /** What sort of act it is about, in the agent's own words. */
  readonly kind: string;
  /** What is to be approved, as the agent asked. */
  readonly payload: JsonObject;
  /** What an edited payload has to fit: JSON Schema; null when it must not be edited. */
  readonly schema: JsonObject | null;
  /** Wall-clock milliseconds since the Unix epoch, as all times here. */
  readonly createdAtMs: number;
  /** Nobody can approve it any more then. */
  readonly expiresAtMs: number;
  readonly status: ApprovalStatus;
  /** Null while it is pending. */
  readonly decidedAtMs: number | null;
  /** Who decided; null while it is pending, and when it expired. */
  readonly principal: string | null;
  /** What they said about it. */
  readonly note: string | null;
  /** What was approved in place of the payload; null when that was left as it is. */
  readonly editedPayload: JsonObject | null;
  /** True once the agent has got the decision, and that is saved. */
  readonly isDelivered: boolean;
}

/** The decision about an approval, as the agent gets it in `onApproval`. */
export class Approval {
  /** What `suspendForApproval` gave. Name it to others, so that what is done for it is done once. */
  readonly id: string;
  readonly kind: string;
  /** What was approved: as it was edited, where it was. */
  readonly payload: JsonObject;
  /** What the agent asked for. */
  readonly askedPayload: JsonObject;
  readonly status: Exclude<ApprovalStatus, "pending">;
  /** Who decided; null when it expired. */
  readonly principal: string | null;
  /** What they said about it; null when nothing. */
  readonly note: string | null;
  /** Wall-clock milliseconds since the Unix epoch. */
  readonly decidedAtMs: number;
  /** True when the agent may have got it before: it crashed, or its process was killed, before that was saved. */
  readonly isRepeated: boolean;

  /**
   * @param record A decided one.
   * @param isRepeated True when it may have been given before.
   */
  constructor(record: ApprovalRecord, isRepeated: boolean) {
    this.id = record.id;
    this.kind = record.kind;
    this.askedPayload = copyJson(record.payload);
    this.payload = copyJson(record.editedPayload ?? record.payload);
    this.status = record.status === "pending" ? "expired" : record.status;
    this.principal = record.principal;
    this.note = record.note;
    this.decidedAtMs = record.decidedAtMs ?? 0;
    this.isRepeated = isRepeated;
  }

  /**
   * The payload, for one that was approved. Left uncaught in `onApproval`, what it throws ends that hook and nothing else.
   *
   * @returns As it was edited, where it was.
   * @throws AGENTRT_APPROVAL_DENIED, AGENTRT_APPROVAL_EXPIRED.
   */
  granted(): JsonObject {
    const { id, kind, principal, note } = this;
    if (this.status === "approved") return this.payload;
    if (this.status === "expired") throw new approvalErrors.EXPIRED({ id, kind });
    throw new approvalErrors.DENIED({ id, kind, principal: principal ?? "", note });
  }
}

/**
 * Says whether an error only tells that this approval was not granted.
 *
 * @param error What the hook threw.
 * @param id Of the approval.
 */
export function isNotGranted(error: unknown, id: string): boolean {
  const isOne = error instanceof approvalErrors.DENIED || error instanceof approvalErrors.EXPIRED;
  return isOne && error.details.id === id;
}
