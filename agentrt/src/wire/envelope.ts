import type { JsonObject } from "../core/index.ts";
import { wireErrors } from "./errors.ts";

/** The schema that this version writes, and the newest that it reads. */
export const schemaVersion = 1;

/** Most characters of names, types and ids. */
const nameLengthMax = 1024;

/**
 * A message between processes, with the names of its fields as they are written. Readers leave out fields that they do not
 * know: a new field needs no new schema version, a new meaning of an old one does.
 */
export interface Envelope {
  readonly schema_version: number;
  /** UUIDv7 with dashes. */
  readonly id: string;
  readonly type: string;
  /** Name of the sending agent; empty for a caller outside the tree. */
  readonly sender: string;
  readonly recipient: string;
  readonly correlation_id: string | null;
  /**
   * Address that waits for the reply; null when nobody waits. Of a `send` or `cast` that a broker keeps, the process that
   * has it from there: it gets a `reply` when the message was handled, and an `error` when it is to come again.
   */
  readonly reply_to: string | null;
  readonly payload: JsonObject;
  /** Seconds since the Unix epoch, by the clock of the sender's machine. */
  readonly timestamp: number;
  /** W3C trace id, 32 hexadecimal digits; empty for none. */
  readonly trace_id: string;
  /** W3C span id, 16 hexadecimal digits; empty for none. */
  readonly span_id: string;
  readonly parent_span_id: string | null;
  /** Of a `send` or `cast` that a broker keeps and gives out again: how often its handling may have begun, 1 or more. Else 0. */
  readonly attempt: number;
  readonly priority: number;
  /** Seconds after `timestamp` at which it is no longer worth handling; null for never. */
  readonly ttl: number | null;
  /** Place in a stream; null outside of one. */
  readonly seq: number | null;
  /** What it is for; see `EnvelopeKind`. */
  readonly kind: EnvelopeKind;
  /** Seconds that the caller still waits for the reply; null for no limit, or when nobody waits. */
  readonly wait: number | null;
  /** Chunks that the consumer of a stream has room for; null for anything but a request for one. */
  readonly credit: number | null;
  /** True for a request that does not wait for a suspended agent. */
  readonly fail_if_suspended: boolean;
  /** Whether the spans of its trace are recorded, where the one that began it said so. */
  readonly sampled: boolean | null;
  /** Address of the client's connection that it came over; null for none. */
  readonly session: string | null;
  /** Status, headers and content type of a reply, for clients of HTTP; null for none. */
  readonly head: JsonObject | null;
}

/**
 * What an envelope is for. A request is a `call` or a `stream`; a `send` or `cast` waits for nothing. What answers carries
 * the id of the request as `correlation_id`: a `reply`, an `error`, the `chunk`s and the `end` of a stream; and from the consumer
 * back to the producer `credit` for more chunks, or `cancel`, which ends a call as well. After a connection was cut, a `check`
 * with the `ids` of requests asks whether they are still worked on, and another about each that is not answers; `rejoined` says to
 * all processes that the connection of one of them was.
 */
export type EnvelopeKind = (typeof envelopeKinds)[number];

/** All kinds. */
export const envelopeKinds = [
  "send",
  "cast",
  "call",
  "stream",
  "reply",
  "error",
  "chunk",
  "end",
  "credit",
  "cancel",
  "check",
  "rejoined",
] as const;

type Check = (value: unknown) => boolean;

const isName: Check = (value) => typeof value === "string" && value.length <= nameLengthMax;
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isNumber: Check = (value) => Number.isFinite(value);
const isSpan: Check = (value) => value === "" || matches(value, /^[\da-f]{16}$/);
const isBoolean: Check = (value) => typeof value === "boolean";
const isNull: Check = (value) => value === null;
const isObject: Check = (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const matches = (value: unknown, pattern: RegExp): boolean =>
  typeof value === "string" && pattern.test(value);
const or =
  (one: Check, other: Check): Check =>
  (value) =>
    one(value) || other(value);

/** What each field must be, in words and as a check, and what it is when it is left out; without that it must be there. */
const fields: {
  readonly [Name in keyof Envelope]: {
    readonly wanted: string;
    readonly check: Check;
    readonly otherwise?: Envelope[Name];
  };
} = {
  schema_version: { wanted: "a whole number", check: isCount, otherwise: schemaVersion },
  id: { wanted: "a text", check: (value) => isName(value) && value !== "" },
  type: { wanted: "a text", check: isName, otherwise: "message" },
  sender: { wanted: "a text", check: isName, otherwise: "" },
  recipient: { wanted: "a text", check: isName, otherwise: "" },
  correlation_id: { wanted: "a text or null", check: or(isName, isNull), otherwise: null },
  reply_to: { wanted: "a text or null", check: or(isName, isNull), otherwise: null },
  payload: { wanted: "an object", check: isObject, otherwise: {} },
  timestamp: { wanted: "seconds", check: isNumber },
  trace_id: {
    wanted: "32 hexadecimal digits or nothing",
    check: (value) => value === "" || matches(value, /^[\da-f]{32}$/),
    otherwise: "",
  },
  span_id: { wanted: "16 hexadecimal digits or nothing", check: isSpan, otherwise: "" },
  parent_span_id: {
    wanted: "16 hexadecimal digits or null",
    check: or(isSpan, isNull),
    otherwise: null,
  },
  attempt: { wanted: "a whole number from 0", check: isCount, otherwise: 0 },
  priority: { wanted: "a whole number", check: Number.isSafeInteger, otherwise: 0 },
  ttl: { wanted: "seconds or null", check: or(isNumber, isNull), otherwise: null },
  seq: { wanted: "a whole number from 0 or null", check: or(isCount, isNull), otherwise: null },
  kind: {
    wanted: envelopeKinds.join(", "),
    check: (value) => (envelopeKinds as readonly unknown[]).includes(value),
    otherwise: "send",
  },
  wait: { wanted: "seconds or null", check: or(isNumber, isNull), otherwise: null },
  credit: { wanted: "a whole number from 0 or null", check: or(isCount, isNull), otherwise: null },
  fail_if_suspended: { wanted: "true or false", check: isBoolean, otherwise: false },
  sampled: { wanted: "true, false or null", check: or(isBoolean, isNull), otherwise: null },
  session: { wanted: "a text or null", check: or(isName, isNull), otherwise: null },
  head: { wanted: "an object or null", check: or(isObject, isNull), otherwise: null },
};

/** What fields are that are left out; those without a default are undefined. */
const defaults = Object.fromEntries(
  Object.entries(fields).map(([name, { otherwise }]) => [name, otherwise]),
) as { readonly [Name in keyof Envelope]: Envelope[Name] | undefined };
const fieldByName = new Map(Object.entries(fields));
const fieldNames = Object.keys(fields) as (keyof Envelope)[];

/**
 * Leaves out the fields that have their defaults, except the version: most have, and each costs both sides.
 *
 * @returns The others.
 */
export function withoutDefaults(envelope: Envelope): Partial<Envelope> {
  const kept: { [name: string]: unknown } = { schema_version: envelope.schema_version };
  for (const name of fieldNames) {
    const value = envelope[name];
    if (value !== defaults[name]) kept[name] = value;
  }
  return kept;
}

/**
 * Reads an envelope from what a serializer decoded. Fields that nobody knows are left out, fields that are missing get
 * their defaults.
 *
 * @throws AGENTRT_WIRE_NEWER_SCHEMA before anything else is looked at; AGENTRT_WIRE_UNREADABLE naming a field that is wrong.
 */
export function readEnvelope(decoded: unknown): Envelope {
  if (!isObject(decoded)) throw new wireErrors.UNREADABLE({ reason: "it is not an object" });
  const source = decoded as { readonly [name: string]: unknown };
  const version = source["schema_version"];
  if (isCount(version) && (version as number) > schemaVersion)
    throw new wireErrors.NEWER_SCHEMA({ found: version as number, known: schemaVersion });
  // The payload becomes the receiver's: each has another object.
  const envelope: { [name: string]: unknown } = { ...defaults, payload: {} };
  for (const name of Object.keys(source)) {
    const field = fieldByName.get(name);
    const value = source[name] ?? field?.otherwise;
    if (field === undefined || value === undefined) continue;
    if (!field.check(value))
      throw new wireErrors.UNREADABLE({ reason: `${name} is wrong: wanted ${field.wanted}` });
    envelope[name] = value;
  }
  for (const name of neededNames)
    if (envelope[name] === undefined)
      throw new wireErrors.UNREADABLE({ reason: `${name} is missing` });
  return envelope as unknown as Envelope;
}

const neededNames = fieldNames.filter((name) => defaults[name] === undefined);
