/** What watchers see of an approval. The payload is not in it. */
export type ApprovalEvent =
  | {
      /** Its agent has paused for it: somebody may decide. */
      readonly type: "approval.requested";
      readonly id: string;
      readonly name: string;
      readonly kind: string;
      readonly expiresAtMs: number;
      readonly atMs: number;
    }
  | {
      readonly type: "approval.approved" | "approval.denied";
      readonly id: string;
      readonly name: string;
      readonly kind: string;
      readonly principal: string;
      readonly note: string | null;
      /** True when another payload was approved than was asked for. */
      readonly isEdited: boolean;
      readonly atMs: number;
    }
  | {
      readonly type: "approval.expired";
      readonly id: string;
      readonly name: string;
      readonly kind: string;
      readonly atMs: number;
    };

/** Saved approvals that cannot be read, and are left as they are. All others are there. */
export interface ApprovalFaultEvent {
  readonly type: "approval.unreadable";
  /** Null for the list of a place: nobody knows which approvals are there. */
  readonly id: string | null;
  /** Who asked; absent where that cannot be read. */
  readonly name?: string;
  /** Of agents that are at one of several processes what their approvals are kept by; else empty. */
  readonly place: string;
  readonly reason: string;
  readonly atMs: number;
}
