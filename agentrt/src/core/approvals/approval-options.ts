import type { StandardSchema } from "../messages/index.ts";
import { didYouMean, type JsonObject, reasonOf } from "../values/index.ts";
import { approvalErrors } from "./errors.ts";
import { misfit, schemaFault } from "./json-schema.ts";

/** Largest payload and schema of an approval together, as JSON. */
export const approvalSizeBytesMax = 65_536;
const expiresMsMax = 366 * 86_400_000;
const kindLengthMax = 100;

/** What an agent asks to be approved. */
export interface ApprovalOptions {
  /** What sort of act it is, 1 to 100 characters: `"refund"`. */
  readonly kind: string;
  /** What is to be approved: plain JSON. With the schema no more than 64 KiB. */
  readonly payload: object;
  /**
   * What an approver may make of the payload: JSON Schema, or a Standard Schema that can be said as such (zod and others).
   * Without one the payload must not be edited. The payload itself has to fit.
   */
  readonly schema?: object | StandardSchema | undefined;
  /** How long somebody may decide, 1 to 31_622_400_000 (366 days). */
  readonly expiresMs: number;
}

/** The same, checked and copied. */
export interface AskedApproval {
  readonly kind: string;
  readonly payload: JsonObject;
  readonly schema: JsonObject | null;
  readonly expiresMs: number;
  readonly sizeBytes: number;
}

const optionNames = ["kind", "payload", "schema", "expiresMs"];

/**
 * Checks what an agent gives to `suspendForApproval`.
 *
 * @param agent Its name.
 * @param options What it gives.
 * @param isolate Copies plain JSON, and throws for what is none.
 * @throws AGENTRT_APPROVAL_OPTION_INVALID, AGENTRT_APPROVAL_SCHEMA_INVALID, AGENTRT_BUS_PAYLOAD_NOT_JSON.
 */
export function readApprovalOptions(
  agent: string,
  options: ApprovalOptions,
  isolate: (value: object) => JsonObject,
): AskedApproval {
  const refuse = (option: string, found: string, wanted: string): never => {
    throw new approvalErrors.OPTION_INVALID({ agent, option, found, wanted });
  };
  const given: unknown = options;
  if (typeof given !== "object" || given === null) {
    return refuse("what is asked", `a ${typeof given}`, "text, or kind, payload and expiresMs");
  }
  const unknown = Object.keys(given).find((key) => !optionNames.includes(key));
  if (unknown !== undefined)
    refuse(unknown, "not known", `${optionNames.join(", ")}${didYouMean(unknown, optionNames)}`);
  const { kind, payload, schema, expiresMs } = given as { readonly [name: string]: unknown };
  if (typeof kind !== "string" || kind.trim() === "" || kind.length > kindLengthMax)
    return refuse("kind", shown(kind), `text of 1 to ${kindLengthMax} characters`);
  if (typeof payload !== "object" || payload === null || Array.isArray(payload))
    return refuse("payload", shown(payload), "an object");
  const isInRange = typeof expiresMs === "number" && expiresMs >= 1 && expiresMs <= expiresMsMax;
  if (!isInRange)
    return refuse("expiresMs", shown(expiresMs), `a number from 1 to ${expiresMsMax}`);
  const asked = {
    kind,
    payload: isolate(payload),
    schema: schema === undefined ? null : readSchema(agent, schema, isolate),
    expiresMs,
  };
  const sizeBytes = sizeOf(asked.payload) + (asked.schema === null ? 0 : sizeOf(asked.schema));
  if (sizeBytes > approvalSizeBytesMax)
    refuse("payload", `${sizeBytes} bytes with its schema`, `at most ${approvalSizeBytesMax}`);
  const fault = asked.schema === null ? undefined : misfit(asked.schema, asked.payload);
  if (fault !== undefined) throw new approvalErrors.SCHEMA_INVALID({ agent, ...fault });
  return { ...asked, sizeBytes };
}

/** @returns How long a value is as JSON in UTF-8. */
export function sizeOf(value: JsonObject): number {
  let sizeBytes = 0;
  for (const character of JSON.stringify(value)) {
    const code = character.codePointAt(0) ?? 0;
    sizeBytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return sizeBytes;
}

function readSchema(
  agent: string,
  schema: unknown,
  isolate: (value: object) => JsonObject,
): JsonObject {
  const refuse = (path: string, reason: string): never => {
    throw new approvalErrors.SCHEMA_INVALID({ agent, path, reason });
  };
  const standard = (schema as Partial<StandardSchema> | null)?.["~standard"];
  let plain: unknown = schema;
  if (standard !== undefined) {
    try {
      plain = standard.jsonSchema?.input({ target: "draft-2020-12" });
    } catch (error) {
      refuse("schema", `it cannot be said as JSON Schema: ${reasonOf(error)}`);
    }
    if (plain === undefined) refuse("schema", `${standard.vendor} does not say it as JSON Schema`);
  }
  if (typeof plain !== "object" || plain === null || Array.isArray(plain))
    return refuse("schema", "want a JSON Schema: an object");
  const copy = isolate(plain);
  const fault = schemaFault(copy);
  return fault === undefined ? copy : refuse(fault.path, fault.reason);
}

function shown(value: unknown): string {
  if (typeof value === "string") return value === "" ? "empty" : `${value.length} characters`;
  return typeof value === "number"
    ? String(value)
    : value === undefined
      ? "missing"
      : `a ${typeof value}`;
}
