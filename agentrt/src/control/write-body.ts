import {
  didYouMean,
  isReservedType,
  type JsonObject,
  type JsonValue,
  type SuspendCategory,
  suspendCategories,
} from "../core/index.ts";

/** What is wrong with a body; its message is for the client. */
export class BodyFault extends Error {}

const reasonDefault = "asked for over the control plane";

/**
 * Reads what a suspension is asked with.
 *
 * @param body `reason` and `category`, both optional.
 * @throws BodyFault.
 */
export function readSuspension(body: JsonObject): {
  readonly reason: string;
  readonly category: SuspendCategory;
} {
  refuseUnknown(body, ["reason", "category"]);
  const { category = suspendCategories[0] } = body;
  const found = suspendCategories.find((known) => known === category);
  if (found === undefined) {
    const hint = typeof category === "string" ? didYouMean(category, suspendCategories) : "";
    throw new BodyFault(`category must be one of ${suspendCategories.join(", ")}${hint}`);
  }
  return { reason: readReason(body), category: found };
}

/**
 * Reads what a drain is asked with.
 *
 * @param body `reason`, optional.
 * @throws BodyFault.
 */
export function readDrain(body: JsonObject): { readonly reason: string } {
  refuseUnknown(body, ["reason"]);
  return { reason: readReason({ reason: "drained", ...body }) };
}

/**
 * Reads what a restart is asked with.
 *
 * @param body `reason`, optional.
 * @throws BodyFault.
 */
export function readRestart(body: JsonObject): { readonly reason: string } {
  refuseUnknown(body, ["reason"]);
  return { reason: readReason(body) };
}

/**
 * Reads what a resume is asked with.
 *
 * @param body `approval`, optional: the id of the approval that the agent waits for.
 * @throws BodyFault.
 */
export function readResume(body: JsonObject): { readonly approval: string | undefined } {
  refuseUnknown(body, ["approval"]);
  const { approval } = body;
  if (approval !== undefined && (typeof approval !== "string" || approval === ""))
    throw new BodyFault("approval must be the id of an approval");
  return { approval };
}

/**
 * Reads what an approval is given with.
 *
 * @param body `note` and `payload`, both optional.
 * @throws BodyFault.
 */
export function readApprove(body: JsonObject): {
  readonly note: string | undefined;
  readonly payload: JsonObject | undefined;
} {
  refuseUnknown(body, ["note", "payload"]);
  const { payload } = body;
  if (payload !== undefined && !isObject(payload)) throw new BodyFault("payload must be an object");
  return { note: readNote(body), payload };
}

/**
 * Reads what a denial is given with.
 *
 * @param body `note`, optional.
 * @throws BodyFault.
 */
export function readDeny(body: JsonObject): { readonly note: string | undefined } {
  refuseUnknown(body, ["note"]);
  return { note: readNote(body) };
}

function readNote({ note }: JsonObject): string | undefined {
  if (note !== undefined && typeof note !== "string") throw new BodyFault("note must be text");
  return note;
}

/**
 * Reads what a replay is asked with: nothing.
 *
 * @throws BodyFault.
 */
export function readNothing(body: JsonObject): void {
  refuseUnknown(body, []);
}

/**
 * Reads a message for an agent.
 *
 * @param body `type`, by default `message`, and `payload`, by default empty.
 * @throws BodyFault: also for a type that belongs to the runtime.
 */
export function readInjected(body: JsonObject): {
  readonly type: string;
  readonly payload: JsonObject;
} {
  refuseUnknown(body, ["type", "payload"]);
  const { type = "message", payload = {} } = body;
  if (typeof type !== "string" || type === "") throw new BodyFault("type must be text, not empty");
  if (isReservedType(type)) {
    throw new BodyFault(
      `type '${type}' belongs to the runtime: _agency. and agentrt. are reserved`,
    );
  }
  if (!isObject(payload)) throw new BodyFault("payload must be an object");
  return { type, payload };
}

function readReason({ reason = reasonDefault }: JsonObject): string {
  if (typeof reason !== "string" || reason.trim() === "") {
    throw new BodyFault("reason must be text, not empty");
  }
  return reason;
}

/** A mistyped key would be lost in silence. What a client says of its own identity is not looked at. */
function refuseUnknown(body: JsonObject, known: readonly string[]): void {
  const unknown = Object.keys(body).find((key) => !known.includes(key) && key !== "__principal__");
  if (unknown === undefined) return;
  const wanted = known.length === 0 ? "the body has no keys" : `want ${known.join(", ")}`;
  throw new BodyFault(`unknown key '${unknown}': ${wanted}${didYouMean(unknown, known)}`);
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
