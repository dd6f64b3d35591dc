import { createHmac, hash } from "node:crypto";
import type { JsonObject, JsonValue } from "../core/index.ts";

/** The environment variable with the key of the HMAC. */
export const auditKeyVariable = "AGENTRT_AUDIT_KEY";

/** One record, as it is in its line. */
export interface AuditRecord {
  /** Such as `agent.suspend`. */
  readonly event: string;
  /** ISO 8601 in UTC with the offset. */
  readonly ts: string;
  /** Whom it is about; null for none. */
  readonly agent: string | null;
  /** Who signed it; nobody in this version. */
  readonly signer_id: null;
  readonly details: JsonObject;
  /** 1 for the first of all. */
  readonly seq: number;
  /** Hash of the line before; zeros for the first of all. */
  readonly prev: string;
}

/** What the first of all lines carries. */
export const noHash = "0".repeat(64);

const textLengthMax = 2_000;
const memberCountMax = 100;

/**
 * Writes a line, without its end.
 *
 * @param record Texts in it that are longer than 2 000 characters are cut.
 */
export function formatLine(record: AuditRecord): string {
  return JSON.stringify({ ...record, details: bounded(record.details, 0) });
}

/**
 * Reads a line.
 *
 * @returns Undefined when it is not a record.
 */
export function parseLine(line: string): AuditRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { event, ts, seq, prev, details } = value as { readonly [name: string]: unknown };
  const isWhole =
    typeof event === "string" &&
    typeof ts === "string" &&
    Number.isSafeInteger(seq) &&
    typeof prev === "string" &&
    typeof details === "object" &&
    details !== null;
  return isWhole ? (value as AuditRecord) : undefined;
}

/**
 * Makes the hash that the next line carries.
 *
 * @param line Without its end.
 * @param key Of the HMAC; undefined for a plain SHA-256.
 * @returns 64 hexadecimal digits.
 */
export function hashOfLine(line: string, key: string | undefined): string {
  if (key === undefined) return hash("sha256", line, "hex");
  return createHmac("sha256", key).update(line).digest("hex");
}

/** Writes a moment as records have it. */
export function timeText(atMs: number): string {
  return new Date(atMs).toISOString().replace("Z", "+00:00");
}

function bounded(value: JsonObject, depth: number): JsonObject {
  const members = Object.entries(value).slice(0, memberCountMax);
  return Object.fromEntries(members.map(([name, member]) => [name, boundedValue(member, depth)]));
}

function boundedValue(value: JsonValue | undefined, depth: number): JsonValue {
  if (typeof value === "string") {
    return value.length > textLengthMax ? `${value.slice(0, textLengthMax)}…` : value;
  }
  if (typeof value !== "object" || value === null) return value ?? null;
  if (depth >= 4) return "…";
  if (Array.isArray(value)) {
    return value.slice(0, memberCountMax).map((member) => boundedValue(member, depth + 1));
  }
  return bounded(value, depth + 1);
}
