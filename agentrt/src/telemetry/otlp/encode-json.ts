import type { SpanAttributes } from "../../core/index.ts";
import type { SpanRecord } from "../span-record.ts";
import { errorStatus, kindNumbers, nanosecondsOf, otlpNameOf, scopeName } from "./otlp-model.ts";

/**
 * Writes spans as the JSON of OTLP.
 *
 * @param records The spans.
 * @param resource Attributes of the program.
 * @returns The body of a request.
 */
export function encodeJson(
  records: readonly SpanRecord[],
  resource: { readonly [name: string]: string },
): Uint8Array {
  const scopeSpans = [{ scope: { name: scopeName }, spans: records.map(spanOf) }];
  const request = { resourceSpans: [{ resource: { attributes: pairsOf(resource) }, scopeSpans }] };
  return new TextEncoder().encode(JSON.stringify(request));
}

function spanOf(record: SpanRecord): object {
  const { traceId, spanId, parentSpanId, status, errorMessage } = record;
  return {
    traceId,
    spanId,
    ...(parentSpanId === null ? {} : { parentSpanId }),
    flags: 1,
    name: otlpNameOf(record),
    kind: kindNumbers[record.kind],
    startTimeUnixNano: String(nanosecondsOf(record.startMs)),
    endTimeUnixNano: String(nanosecondsOf(record.endMs)),
    attributes: pairsOf(record.attributes),
    status: status === "ok" ? {} : { code: errorStatus, message: errorMessage ?? "" },
  };
}

function pairsOf(attributes: SpanAttributes): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: valueOf(value) }));
}

function valueOf(value: SpanAttributes[string]): object {
  switch (typeof value) {
    case "string":
      return { stringValue: value };
    case "boolean":
      return { boolValue: value };
    case "number":
      return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
    default:
      return { arrayValue: { values: value.map((each) => ({ stringValue: each })) } };
  }
}
