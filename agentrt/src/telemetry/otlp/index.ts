/**
 * Spans to a collector, by the protocol of OpenTelemetry over HTTP: as protobuf or as JSON.
 *
 *     SpanRecord[] → encodeJson | encodeProtobuf → (gzip) → POST → 2xx | again, later | failed
 *
 * It must not know topology files. What it reads from the environment it is given.
 */
export { OtlpExporter } from "./otlp-exporter.ts";
export { type OtlpOptions, otlpSettings, type OtlpSettings } from "./otlp-settings.ts";
