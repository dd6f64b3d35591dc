import { z } from "zod";
import { fields } from "../../topology/index.ts";
import type { DescribedPlugin } from "./described-plugin.ts";

const { mapping, oneOf, seconds, text, textLike, wholeMilliseconds, wholeNumber } = fields;

/** `type: console`: one line a span on stderr. */
export const consoleExporterKind = {
  name: "console",
  keys: {},
  settings: mapping({}),
} satisfies DescribedPlugin;

const headerVariables = () =>
  z.record(z.string(), textLike(/^[A-Za-z_]\w*$/, "the name of an environment variable"), {
    error: "a mapping from header names to the names of environment variables",
  });

/** `type: otlp`: to a collector of OpenTelemetry. What the file leaves out, `OTEL_EXPORTER_OTLP_*` say. */
export const otlpExporterKind = {
  name: "otlp",
  keys: {
    endpoint:
      "Whole address that spans are sent to; by default OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, or OTEL_EXPORTER_OTLP_ENDPOINT with /v1/traces.",
    protocol:
      "http/protobuf or http/json; by default OTEL_EXPORTER_OTLP_PROTOCOL, or http/protobuf.",
    headers_from: "Headers of requests: environment variables that hold their values, by name.",
    timeout: "Seconds to wait for an answer; by default OTEL_EXPORTER_OTLP_TIMEOUT, or 10.",
    compression: "gzip or none; by default OTEL_EXPORTER_OTLP_COMPRESSION, or none.",
    service_name: "What the program is called; by default OTEL_SERVICE_NAME, or the tree's root.",
  },
  settings: mapping({
    endpoint: textLike(
      /^https?:\/\/\S+$/,
      "a URL such as http://localhost:4318/v1/traces",
    ).optional(),
    protocol: oneOf(["http/protobuf", "http/json"]).optional(),
    headers_from: headerVariables().optional(),
    timeout: seconds({ isZeroAllowed: false }).optional(),
    compression: oneOf(["gzip", "none"]).optional(),
    service_name: text().optional(),
  }).transform((given) => ({
    endpoint: given.endpoint,
    protocol: given.protocol,
    headersFrom: given.headers_from ?? {},
    timeoutMs: given.timeout === undefined ? undefined : wholeMilliseconds(given.timeout),
    compression: given.compression,
    serviceName: given.service_name,
  })),
} satisfies DescribedPlugin;

/** `type: sqlite`: a folder of database files, one for each stretch of time. */
export const sqliteExporterKind = {
  name: "sqlite",
  keys: {
    db_dir: "The folder of the files, relative to the working directory.",
    window_days: "Days whose spans are in one file.",
    retention_windows: "Files that are kept besides the current one; older ones are deleted.",
  },
  settings: mapping({
    db_dir: text("the path of a folder").default("./telemetry"),
    window_days: wholeNumber({ min: 1, max: 3650 }).default(30),
    retention_windows: wholeNumber({ min: 0, max: 10_000 }).default(6),
  }).transform((given) => ({
    directory: given.db_dir,
    windowDays: given.window_days,
    retentionWindowCount: given.retention_windows,
  })),
} satisfies DescribedPlugin;

/** The built-in exporters. */
export const exporterKinds: readonly DescribedPlugin[] = [
  consoleExporterKind,
  otlpExporterKind,
  sqliteExporterKind,
];
