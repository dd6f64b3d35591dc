import type { SpanAttributes } from "../../core/index.ts";
import type { SpanRecord } from "../span-record.ts";
import { errorStatus, kindNumbers, nanosecondsOf, otlpNameOf, scopeName } from "./otlp-model.ts";
import { ProtobufWriter } from "./protobuf-writer.ts";

/**
 * Writes spans as the protobuf of OTLP, `opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest`.
 *
 * @param records The spans.
 * @param resource Attributes of the program.
 * @returns The body of a request.
 */
export function encodeProtobuf(
  records: readonly SpanRecord[],
  resource: { readonly [name: string]: string },
): Uint8Array {
  const writer = new ProtobufWriter();
  // ExportTraceServiceRequest.resource_spans
  writer.message(1, () => {
    writer.message(1, () => writePairs(writer, 1, resource));
    // ResourceSpans.scope_spans
    writer.message(2, () => {
      writer.message(1, () => writer.text(1, scopeName));
      for (const record of records) writer.message(2, () => writeSpan(writer, record));
    });
  });
  return writer.finish();
}

function writeSpan(writer: ProtobufWriter, record: SpanRecord): void {
  writer.hex(1, record.traceId);
  writer.hex(2, record.spanId);
  if (record.parentSpanId !== null) writer.hex(4, record.parentSpanId);
  writer.text(5, otlpNameOf(record));
  writer.varint(6, kindNumbers[record.kind]);
  writer.fixed64(7, nanosecondsOf(record.startMs));
  writer.fixed64(8, nanosecondsOf(record.endMs));
  writePairs(writer, 9, record.attributes);
  if (record.status === "error") {
    writer.message(15, () => {
      writer.text(2, record.errorMessage ?? "");
      writer.varint(3, errorStatus);
    });
  }
  writer.fixed32(16, 1);
}

// oxlint-disable-next-line max-params -- as the writer's own methods: field, then value
function writePairs(writer: ProtobufWriter, field: number, attributes: SpanAttributes): void {
  for (const [key, value] of Object.entries(attributes)) {
    writer.message(field, () => {
      writer.text(1, key);
      writer.message(2, () => writeValue(writer, value));
    });
  }
}

function writeValue(writer: ProtobufWriter, value: SpanAttributes[string]): void {
  switch (typeof value) {
    case "string":
      return writer.text(1, value);
    case "boolean":
      return writer.varint(2, value ? 1 : 0);
    case "number":
      return Number.isSafeInteger(value) ? writer.int64(3, value) : writer.double(4, value);
    default:
      writer.message(5, () => {
        for (const each of value) writer.message(1, () => writer.text(1, each));
      });
  }
}
