import type { JsonObject } from "../core/index.ts";
import { CompactReader } from "./compact-reader.ts";
import { CompactWriter } from "./compact-writer.ts";
import { type Envelope, envelopeKinds, readEnvelope, schemaVersion } from "./envelope.ts";
import { wireErrors } from "./errors.ts";
import { spanForm, traceForm } from "./id-form.ts";

/**
 * How an envelope is written as MessagePack: an array of seventeen values in this order, because the names of fields take more
 * room and time than what they say.
 *
 *   schema_version, kind (its place in `envelopeKinds`), flags, id, type, sender, recipient, correlation_id, reply_to, timestamp,
 *   trace_id, span_id, parent_span_id, wait, seq, credit, and the payload or an array of it and a map of all other fields
 *
 * Null means the default of a field. An id is bytes, and so is a text that ends in a UUID: what is in front of it, and the UUID's
 * sixteen. New fields go into the map, where readers leave out what they do not know.
 */
const valueCount = 17;

/** Bits of `flags`. `sampled` has two: whether it is known, and what it is. */
const flag = { failIfSuspended: 1, isSampledKnown: 2, sampled: 4 } as const;

/** The last value. */
type Rest = JsonObject | readonly [JsonObject, JsonObject];

const kindPlaces = new Map(envelopeKinds.map((kind, place) => [kind, place]));
const writer = new CompactWriter();

/**
 * Writes an envelope.
 *
 * @param encode Writes its last value.
 * @returns Undefined for one that does not fit, such as one with a very long name: it is written with the names of its fields.
 */
export function writeCompact(
  envelope: Envelope,
  encode: (rest: Rest) => Uint8Array,
): Uint8Array | undefined {
  const { sampled, trace_id, span_id, parent_span_id, sender, type } = envelope;
  writer.begin(valueCount);
  writer.small(envelope.schema_version);
  writer.small(kindPlaces.get(envelope.kind) ?? 0);
  writer.small(
    (envelope.fail_if_suspended ? flag.failIfSuspended : 0) |
      (sampled === null ? 0 : flag.isSampledKnown) |
      (sampled === true ? flag.sampled : 0),
  );
  const fits =
    writer.text(envelope.id) &&
    writer.text(type === "message" ? null : type) &&
    writer.text(sender === "" ? null : sender) &&
    writer.text(envelope.recipient === "" ? null : envelope.recipient) &&
    writer.text(envelope.correlation_id) &&
    writer.text(envelope.reply_to);
  if (!fits) return undefined;
  writer.double(envelope.timestamp);
  const isTraced =
    writer.id(trace_id === "" ? null : trace_id, traceForm) &&
    writer.id(span_id === "" ? null : span_id, spanForm) &&
    writer.id(parent_span_id, spanForm);
  if (!isTraced) return undefined;
  writer.double(envelope.wait);
  writer.count(envelope.seq);
  writer.count(envelope.credit);
  return writer.finish(encode(restOf(envelope)));
}

function restOf({ payload, attempt, priority, ttl, session, head }: Envelope): Rest {
  if (attempt === 0 && priority === 0 && ttl === null && session === null && head === null)
    return payload;
  return [payload, { attempt, priority, ttl, session, head }];
}

/**
 * Reads an envelope.
 *
 * @param decode Reads its last value.
 * @returns Undefined for bytes that were written otherwise.
 * @throws AGENTRT_WIRE_UNREADABLE, AGENTRT_WIRE_NEWER_SCHEMA, and what `decode` throws.
 */
export function readCompact(
  bytes: Uint8Array,
  decode: (bytes: Uint8Array) => unknown,
): Envelope | undefined {
  const reader = new CompactReader(bytes);
  if (!reader.begin(valueCount)) return undefined;
  const version = reader.small("schema_version");
  if (version > schemaVersion)
    throw new wireErrors.NEWER_SCHEMA({ found: version, known: schemaVersion });
  const kind = envelopeKinds[reader.small("kind")];
  if (kind === undefined) throw new wireErrors.UNREADABLE({ reason: "kind is wrong" });
  const flags = reader.small("flags");
  const head: Omit<Envelope, "payload"> = {
    schema_version: version,
    id: neededText(reader.textOrNull("id")),
    type: reader.textOrNull("type") ?? "message",
    sender: reader.textOrNull("sender") ?? "",
    recipient: reader.textOrNull("recipient") ?? "",
    correlation_id: reader.textOrNull("correlation_id"),
    reply_to: reader.textOrNull("reply_to"),
    timestamp: reader.double("timestamp"),
    trace_id: reader.idOrNull("trace_id", traceForm) ?? "",
    span_id: reader.idOrNull("span_id", spanForm) ?? "",
    parent_span_id: reader.idOrNull("parent_span_id", spanForm),
    attempt: 0,
    priority: 0,
    ttl: null,
    kind,
    wait: reader.doubleOrNull("wait"),
    seq: reader.countOrNull("seq"),
    credit: reader.countOrNull("credit"),
    fail_if_suspended: (flags & flag.failIfSuspended) !== 0,
    sampled: (flags & flag.isSampledKnown) === 0 ? null : (flags & flag.sampled) !== 0,
    session: null,
    head: null,
  };
  const rest = decode(reader.rest());
  if (!Array.isArray(rest)) return { ...head, payload: objectOf(rest, "payload") };
  const [payload, others] = rest as readonly unknown[];
  const {
    attempt,
    priority,
    ttl,
    session,
    head: replyHead,
  } = objectOf(others, "the map of others");
  return readEnvelope({ ...head, payload, attempt, priority, ttl, session, head: replyHead });
}

function objectOf(value: unknown, name: string): JsonObject {
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as JsonObject;
  throw new wireErrors.UNREADABLE({ reason: `${name} is wrong: wanted an object` });
}

function neededText(value: string | null): string {
  if (value === null || value === "") throw new wireErrors.UNREADABLE({ reason: "id is missing" });
  return value;
}
