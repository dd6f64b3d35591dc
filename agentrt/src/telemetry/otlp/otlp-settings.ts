import { telemetryErrors } from "../errors.ts";

/** What a program, or a topology file, says about a collector. What it leaves out, the environment says. */
export interface OtlpOptions {
  /** Whole address that spans are sent to, such as `http://localhost:4318/v1/traces`. */
  readonly endpoint?: string | undefined;
  readonly protocol?: "http/protobuf" | "http/json" | undefined;
  /** Sent with each request, over those of the environment. */
  readonly headers?: { readonly [name: string]: string } | undefined;
  /** Longest wait for one answer, milliseconds, 1 or more. Default 10 000. */
  readonly timeoutMs?: number | undefined;
  readonly compression?: "gzip" | "none" | undefined;
  /** What the program is called; default `agentrt`. */
  readonly serviceName?: string | undefined;
}

/** Where and how spans are sent. */
export interface OtlpSettings {
  readonly url: string;
  readonly protocol: "http/protobuf" | "http/json";
  readonly headers: { readonly [name: string]: string };
  readonly timeoutMs: number;
  readonly isCompressed: boolean;
  /** Attributes of the program, `service.name` among them. */
  readonly resource: { readonly [name: string]: string };
}

type Environment = { readonly [name: string]: string | undefined };

const timeoutMsDefault = 10_000;
const timeoutMsMax = 600_000;
/** Files that would be read for each connection: Node has its own variable for it. */
const unserved = ["CERTIFICATE", "CLIENT_KEY", "CLIENT_CERTIFICATE"];

/**
 * Reads where and how spans are sent: what is said in the file, then the variables only for traces, then those for all.
 *
 * @param options What is said in the file, or by a program.
 * @param environment With the variables of OpenTelemetry: `OTEL_EXPORTER_OTLP_*`, `OTEL_SERVICE_NAME`,
 *   `OTEL_RESOURCE_ATTRIBUTES`.
 * @returns The settings.
 * @throws AGENTRT_TELEMETRY_SETTING_INVALID.
 */
export function otlpSettings(options: OtlpOptions, environment: Environment): OtlpSettings {
  const of = (name: string): Found | undefined =>
    read(environment, `OTEL_EXPORTER_OTLP_TRACES_${name}`) ??
    read(environment, `OTEL_EXPORTER_OTLP_${name}`);
  for (const name of unserved) {
    const found = of(name);
    if (found !== undefined)
      refuse(found, "no such file: a certificate authority of one's own is NODE_EXTRA_CA_CERTS");
  }
  return {
    url: readUrl(options.endpoint, environment),
    protocol: readProtocol(options.protocol, of("PROTOCOL")),
    headers: { ...readHeaders(of("HEADERS")), ...options.headers },
    timeoutMs: options.timeoutMs ?? readTimeout(of("TIMEOUT")),
    isCompressed: (options.compression ?? readCompression(of("COMPRESSION"))) === "gzip",
    resource: readResource(options.serviceName, environment),
  };
}

interface Found {
  readonly variable: string;
  readonly text: string;
}

function read(environment: Environment, variable: string): Found | undefined {
  const text = environment[variable]?.trim() ?? "";
  return text === "" ? undefined : { variable, text };
}

function refuse({ variable, text }: Found, wanted: string): never {
  throw new telemetryErrors.SETTING_INVALID({
    exporter: "otlp",
    setting: variable,
    found: text,
    wanted,
  });
}

function readUrl(endpoint: string | undefined, environment: Environment): string {
  if (endpoint !== undefined) return checkUrl({ variable: "endpoint", text: endpoint });
  const own = read(environment, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
  if (own !== undefined) return checkUrl(own);
  const base = read(environment, "OTEL_EXPORTER_OTLP_ENDPOINT");
  if (base === undefined) return "http://localhost:4318/v1/traces";
  return `${checkUrl(base).replace(/\/+$/, "")}/v1/traces`;
}

function checkUrl(found: Found): string {
  const url = URL.canParse(found.text) ? new URL(found.text) : undefined;
  const isHttp = url?.protocol === "http:" || url?.protocol === "https:";
  if (url === undefined || !isHttp || url.username !== "" || url.password !== "")
    refuse(
      { ...found, text: found.text.replace(/\/\/[^/]*@/, "//…@") },
      "an address such as http://localhost:4318, without user and password",
    );
  return found.text;
}

function readProtocol(
  given: OtlpOptions["protocol"],
  found: Found | undefined,
): OtlpSettings["protocol"] {
  if (given !== undefined) return given;
  if (found === undefined) return "http/protobuf";
  if (found.text === "http/protobuf" || found.text === "http/json") return found.text;
  const hint = found.text === "grpc" ? "; port 4318 of a collector speaks them" : "";
  return refuse(found, `http/protobuf or http/json${hint}`);
}

function readHeaders(found: Found | undefined): { readonly [name: string]: string } {
  const headers: { [name: string]: string } = {};
  for (const [name, value] of pairsOf(found, "a list such as name=value,other=value")) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || /[^\t\x20-\x7e]/.test(value))
      refuse({ variable: found?.variable ?? "", text: name }, "names and values of headers");
    headers[name.toLowerCase()] = value;
  }
  return headers;
}

function* pairsOf(found: Found | undefined, wanted: string): Generator<[string, string]> {
  for (const part of found?.text.split(",") ?? []) {
    if (part.trim() === "") continue;
    const at = part.indexOf("=");
    // The text may hold a secret, so it is not shown.
    if (at <= 0) refuse({ variable: found?.variable ?? "", text: "…" }, wanted);
    yield [decoded(part.slice(0, at)), decoded(part.slice(at + 1))];
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.trim());
  } catch {
    return text.trim();
  }
}

function readTimeout(found: Found | undefined): number {
  if (found === undefined) return timeoutMsDefault;
  const timeoutMs = Number(found.text);
  if (!(timeoutMs >= 1 && timeoutMs <= timeoutMsMax))
    refuse(found, `milliseconds from 1 to ${timeoutMsMax}`);
  return timeoutMs;
}

function readCompression(found: Found | undefined): "gzip" | "none" {
  if (found === undefined) return "none";
  if (found.text === "gzip" || found.text === "none") return found.text;
  return refuse(found, "gzip or none");
}

function readResource(
  serviceName: string | undefined,
  environment: Environment,
): { readonly [name: string]: string } {
  const given = read(environment, "OTEL_RESOURCE_ATTRIBUTES");
  const attributes = Object.fromEntries(pairsOf(given, "a list such as name=value,other=value"));
  const name = serviceName ?? read(environment, "OTEL_SERVICE_NAME")?.text;
  return {
    "service.name": "agentrt",
    ...attributes,
    ...(name === undefined ? {} : { "service.name": name }),
    "telemetry.sdk.name": "agentrt",
    "telemetry.sdk.language": "nodejs",
  };
}
