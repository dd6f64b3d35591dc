import type { JsonObject, JsonValue } from "../values/index.ts";
import { type ApprovalRecord, approvalStatuses } from "./approval.ts";
import { approvalErrors } from "./errors.ts";

/** Under which name the state store keeps which approvals there are: one that no agent may have. */
export const approvalIndexKey = "_agency.approvals";
const prefix = "_agency.approval/";

/** Under which names the state store keeps the approvals of one place. */
export interface ApprovalKeys {
  /** Such as `ticket/17`; empty for that of all agents that are at none. */
  readonly place: string;
  /** Of the list of approvals that there are. */
  readonly index: string;
  /** @returns That of an approval. */
  rowOf(id: string): string;
}

/**
 * Makes the names under which approvals are kept.
 *
 * @param place Such as `ticket/17`; default that of all agents that are at no place.
 */
export function approvalKeysOf(place?: string): ApprovalKeys {
  if (place === undefined)
    return { place: "", index: approvalIndexKey, rowOf: (id) => `${prefix}${id}` };
  return {
    place,
    index: `${approvalIndexKey}/${place}`,
    rowOf: (id) => `${prefix}${place}/${id}`,
  };
}

/** @returns The place of what is kept under a name; undefined for any other name. */
export function placeOfApprovalKey(name: string): string | undefined {
  if (name.startsWith(`${approvalIndexKey}/`)) return name.slice(approvalIndexKey.length + 1);
  if (!name.startsWith(prefix)) return undefined;
  const end = name.lastIndexOf("/");
  return end < prefix.length ? undefined : name.slice(prefix.length, end);
}

/** @returns What the store keeps of the list of approvals, oldest first. */
export function savedIndexOf(ids: readonly string[]): JsonObject {
  return { version: 1, ids: [...ids] };
}

/**
 * Reads the saved list of approvals.
 *
 * @param saved What the store holds.
 * @throws AGENTRT_APPROVAL_SAVED_INVALID.
 */
export function readSavedIndex(saved: JsonObject): readonly string[] {
  const { version, ids } = saved;
  const isList = Array.isArray(ids) && ids.every((id) => typeof id === "string");
  if (version === 1 && isList) return ids;
  throw new approvalErrors.SAVED_INVALID({ id: "index", reason: "it is not a list of version 1" });
}

/** @returns An approval as the store keeps it. */
export function savedApprovalOf(record: ApprovalRecord): JsonObject {
  return {
    version: 1,
    agent: record.agent,
    key: record.key,
    kind: record.kind,
    payload: record.payload,
    schema: record.schema,
    created_at_ms: record.createdAtMs,
    expires_at_ms: record.expiresAtMs,
    status: record.status,
    decided_at_ms: record.decidedAtMs,
    principal: record.principal,
    note: record.note,
    edited_payload: record.editedPayload,
    delivered: record.isDelivered,
  };
}

/**
 * Reads a saved approval.
 *
 * @param id Of it.
 * @param saved What the store holds.
 * @throws AGENTRT_APPROVAL_SAVED_INVALID: nobody knows then what was approved.
 */
export function readSavedApproval(id: string, saved: JsonObject): ApprovalRecord {
  const refuse = (reason: string): never => {
    throw new approvalErrors.SAVED_INVALID({ id, reason });
  };
  if (saved["version"] !== 1) refuse(`its version is ${JSON.stringify(saved["version"])}`);
  const text = (key: string): string => {
    const value = saved[key];
    return typeof value === "string" ? value : refuse(`${key} is not text`);
  };
  const number = (key: string): number => {
    const value = saved[key];
    return typeof value === "number" ? value : refuse(`${key} is not a number`);
  };
  const object = (key: string): JsonObject => {
    const value = saved[key];
    return isObject(value) ? value : refuse(`${key} is not an object`);
  };
  const orNull = <Value>(key: string, read: (key: string) => Value): Value | null =>
    saved[key] === null ? null : read(key);
  const status = approvalStatuses.find((known) => known === saved["status"]);
  return {
    id,
    agent: text("agent"),
    key: orNull("key", text),
    kind: text("kind"),
    payload: object("payload"),
    schema: orNull("schema", object),
    createdAtMs: number("created_at_ms"),
    expiresAtMs: number("expires_at_ms"),
    status: status ?? refuse("its status is none"),
    decidedAtMs: orNull("decided_at_ms", number),
    principal: orNull("principal", text),
    note: orNull("note", text),
    editedPayload: orNull("edited_payload", object),
    isDelivered: saved["delivered"] === true,
  };
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
