import type { JsonObject } from "../values/index.ts";
import type { ApprovalRecord } from "./approval.ts";
import { approvalSizeBytesMax, sizeOf } from "./approval-options.ts";
import { approvalErrors } from "./errors.ts";
import { misfit } from "./json-schema.ts";

/** Longest note, in characters. */
export const noteLengthMax = 4096;
const principalLengthMax = 1024;

/** What somebody decides. */
export interface Decision {
  readonly kind: "approve" | "deny";
  /** Who, as authenticated. */
  readonly principal: string;
  /** What they say about it, up to 4096 characters. */
  readonly note?: string | undefined;
  /** Only of `approve`: what is approved in place of the payload; default the payload as it is. */
  readonly payload?: JsonObject | undefined;
}

/**
 * Checks what can be checked without the approval.
 *
 * @throws AGENTRT_APPROVAL_DECISION_INVALID.
 */
export function checkDecision(id: string, decision: Decision): void {
  const refuse = (option: string, found: string, wanted: string): never => {
    throw new approvalErrors.DECISION_INVALID({ id, option, found, wanted });
  };
  const { kind, principal, note, payload }: { readonly [Key in keyof Decision]: unknown } =
    decision;
  if (typeof principal !== "string" || principal.trim() === "")
    refuse("principal", typeof principal === "string" ? "empty" : `a ${typeof principal}`, "text");
  else if (principal.length > principalLengthMax)
    refuse("principal", `${principal.length} characters`, `at most ${principalLengthMax}`);
  if (note !== undefined) {
    if (typeof note !== "string") refuse("note", `a ${typeof note}`, "text");
    else if (note.length > noteLengthMax)
      refuse("note", `${note.length} characters`, `at most ${noteLengthMax}`);
  }
  if (payload === undefined) return;
  if (kind === "deny") refuse("payload", "there", "none: what is denied is not edited");
  if (typeof payload !== "object" || payload === null || Array.isArray(payload))
    refuse("payload", Array.isArray(payload) ? "a list" : `a ${typeof payload}`, "an object");
}

/**
 * Checks an edited payload against the schema of an approval.
 *
 * @returns It; null when there is none.
 * @throws AGENTRT_APPROVAL_PAYLOAD_INVALID.
 */
export function editedPayload(
  { id, schema }: ApprovalRecord,
  payload: JsonObject | undefined,
): JsonObject | null {
  if (payload === undefined) return null;
  const refuse = (path: string, reason: string): never => {
    throw new approvalErrors.PAYLOAD_INVALID({ id, path, reason });
  };
  if (schema === null) return refuse("payload", "it has no schema, so it is not edited");
  const sizeBytes = sizeOf(payload);
  if (sizeBytes > approvalSizeBytesMax)
    refuse("payload", `has ${sizeBytes} bytes, want at most ${approvalSizeBytesMax}`);
  const fault = misfit(schema, payload);
  return fault === undefined ? structuredClone(payload) : refuse(fault.path, fault.reason);
}
