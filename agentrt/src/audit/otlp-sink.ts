import { parseLine } from "./audit-line.ts";
import type { AuditSink, AuditTail } from "./audit-sink.ts";

const timeoutMs = 5_000;
const severityInfo = 9;

/** A collector of OpenTelemetry, over HTTP with JSON: a log record a line. */
export class OtlpSink implements AuditSink {
  readonly name = "otlp";
  readonly place: string;
  readonly isUntouched = true;
  readonly #serviceName: string;

  /**
   * @param options.endpoint URL of the collector, without `/v1/logs`.
   * @param options.serviceName What the process is called there.
   */
  constructor(options: { readonly endpoint: string; readonly serviceName: string }) {
    this.place = `${options.endpoint.replace(/\/+$/, "").replace(/\/v1\/logs$/, "")}/v1/logs`;
    this.#serviceName = options.serviceName;
  }

  async open(): Promise<AuditTail> {
    return { kind: "none" };
  }

  async write(lines: readonly string[]): Promise<void> {
    const body = {
      resourceLogs: [
        {
          resource: { attributes: [attribute("service.name", this.#serviceName)] },
          scopeLogs: [{ scope: { name: "agentrt.audit" }, logRecords: lines.map(logRecord) }],
        },
      ],
    };
    const response = await fetch(this.place, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`HTTP status ${response.status}`);
  }

  async release(): Promise<void> {}
}

function logRecord(line: string): object {
  const record = parseLine(line);
  const timeUnixNano = `${Date.parse(record?.ts ?? "")}000000`;
  return {
    timeUnixNano,
    observedTimeUnixNano: timeUnixNano,
    severityNumber: severityInfo,
    severityText: "INFO",
    eventName: record?.event,
    body: { stringValue: line },
    attributes: [
      attribute("agentrt.audit.event", record?.event ?? ""),
      attribute("agentrt.audit.seq", String(record?.seq ?? "")),
      ...(record?.agent == null ? [] : [attribute("agentrt.agent", record.agent)]),
    ],
  };
}

function attribute(key: string, value: string): object {
  return { key, value: { stringValue: value } };
}
