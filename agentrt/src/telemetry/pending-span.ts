import { type IdSequence, type SpanAttributes, type SpanKind } from "../core/index.ts";
import type { SpanRecord } from "./span-record.ts";

/** How a span ended. */
export interface SpanFailure {
  /** The code of the error, or the name of its class. */
  readonly type: string;
  readonly message: string;
}

/** A finished span whose ids and attributes nobody has read yet: those that are dropped cost no more than this object. */
export interface PendingSpan {
  /** Makes the record. */
  toRecord(ids: IdSequence): SpanRecord;
}

/** An id: a number for one of this process, text for one from outside. */
export type LazyId = number | string;

/** Where in a trace a span is. */
export interface SpanPlace {
  readonly name: string;
  readonly kind: SpanKind;
  readonly trace: LazyId;
  readonly span: LazyId;
  readonly parent: LazyId | undefined;
  readonly startMs: number;
  readonly endMs: number;
}

const textLengthMax = 4096;
const nameLengthMax = 256;
const attributeCountMax = 128;

/**
 * Makes the record of a span: ids as text, what failed as attributes, texts cut at 4096 characters.
 *
 * @param place Where it is.
 * @param attributes At most 128 are taken.
 * @param failure What failed; undefined when nothing did.
 * @param ids Of this process.
 * @returns The record.
 */
// oxlint-disable-next-line max-params -- once a span: no object for its parameters
export function recordOf(
  place: SpanPlace,
  attributes: SpanAttributes,
  failure: SpanFailure | undefined,
  ids: IdSequence,
): SpanRecord {
  const { name, kind, trace, span, parent, startMs, endMs } = place;
  const all =
    failure === undefined
      ? attributes
      : {
          ...attributes,
          error: true,
          "error.type": failure.type,
          "error.message": failure.message,
        };
  return {
    name: name.length > nameLengthMax ? name.slice(0, nameLengthMax) : name,
    kind,
    traceId: typeof trace === "string" ? trace : ids.traceId(trace),
    spanId: typeof span === "string" ? span : ids.spanId(span),
    parentSpanId:
      parent === undefined ? null : typeof parent === "string" ? parent : ids.spanId(parent),
    startMs,
    endMs,
    attributes: bounded(all),
    status: failure === undefined ? "ok" : "error",
    errorMessage: failure === undefined ? null : failure.message.slice(0, textLengthMax),
  };
}

function bounded(attributes: SpanAttributes): SpanAttributes {
  let isSmall = true;
  let count = 0;
  for (const name in attributes) {
    count += 1;
    const value = attributes[name];
    if (typeof value === "string" ? value.length > textLengthMax : typeof value === "object")
      isSmall = false;
  }
  if (isSmall && count <= attributeCountMax) return attributes;
  return Object.fromEntries(
    Object.entries(attributes)
      .slice(0, attributeCountMax)
      .map(([name, value]) => [name, boundedValue(value)]),
  );
}

function boundedValue(value: SpanAttributes[string]): SpanAttributes[string] {
  if (typeof value === "string") return value.slice(0, textLengthMax);
  if (typeof value !== "object") return value;
  return value.slice(0, attributeCountMax).map((each) => each.slice(0, textLengthMax));
}
