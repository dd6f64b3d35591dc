import process from "node:process";
import { checkOptions, optionErrors, type AuditLog } from "../core/index.ts";
import { AuditTrail } from "./audit-trail.ts";
import { FileSink } from "./file-sink.ts";
import { OtlpSink } from "./otlp-sink.ts";
import { SyslogSink, syslogAddressFault } from "./syslog-sink.ts";

/** Where records go, and how. */
export interface AuditSettings {
  /** Default `jsonl`. */
  readonly sink?: "jsonl" | "syslog" | "otlp" | undefined;
  /** Of the sink `jsonl`: the file, made with mode 0600. Default `agentrt_audit.jsonl`. */
  readonly path?: string | undefined;
  /** Of the sink `jsonl`: whether each write waits until the disk has it. Default false. */
  readonly isSynced?: boolean | undefined;
  /** Of the sink `jsonl`: whether the file is made with the first record and not before. Default false. */
  readonly isLazy?: boolean | undefined;
  /**
   * Of the sink `syslog`: `udp://host:port`, `tcp://host:port` or the path of a stream socket. Default
   * `udp://127.0.0.1:514`.
   */
  readonly address?: string | undefined;
  /** Of the sink `syslog`: by name. Default `local0`. */
  readonly facility?: string | undefined;
  /** Of the sink `otlp`: URL of the collector, without `/v1/logs`. Default `http://localhost:4318`. */
  readonly endpoint?: string | undefined;
  /** Of the sink `otlp`: what the process is called there. Default `agentrt`. */
  readonly serviceName?: string | undefined;
  /** Makes an HMAC of each hash. Default none. */
  readonly key?: string | undefined;
  /** Records written together at most, 1 or more. Default 100. */
  readonly batchCountMax?: number | undefined;
  /** How long records wait for others, milliseconds, 0 or more. Default 0. */
  readonly flushIntervalMs?: number | undefined;
  /** Records that wait at most while nothing can be written, 1 or more; further ones are counted. Default 10 000. */
  readonly waitingCountMax?: number | undefined;
}

/** Of the file, where nobody names one. */
export const auditPathDefault = "agentrt_audit.jsonl";

/**
 * Makes an audit log, for `new Runtime({ audit })`. It is opened when the runtime starts.
 *
 * @param settings Where records go.
 * @throws AGENTRT_OPTION_UNKNOWN, AGENTRT_OPTION_WRONG.
 */
export function createAuditLog(settings: AuditSettings): AuditLog {
  checkOptions("the audit log", settings, settingNames);
  const { key, isLazy, batchCountMax, flushIntervalMs, waitingCountMax } = settings;
  const sink = makeSink(settings);
  return new AuditTrail({ sink, key, isLazy, batchCountMax, flushIntervalMs, waitingCountMax });
}

function makeSink(settings: AuditSettings): FileSink | SyslogSink | OtlpSink {
  const { sink = "jsonl", path = auditPathDefault, isSynced = false } = settings;
  const { address = "udp://127.0.0.1:514", facility } = settings;
  const { endpoint = "http://localhost:4318", serviceName = "agentrt" } = settings;
  if (sink === "jsonl") return new FileSink(path, { isSynced });
  if (sink === "otlp") return new OtlpSink({ endpoint, serviceName });
  const wanted = syslogAddressFault(address);
  if (wanted !== undefined) {
    const details = { owner: "the audit log", option: "address", found: `"${address}"`, wanted };
    throw new optionErrors.WRONG(details);
  }
  return new SyslogSink({ address, facility, pid: process.pid });
}

const settingNames = {
  sink: true,
  path: true,
  isSynced: true,
  isLazy: true,
  address: true,
  facility: true,
  endpoint: true,
  serviceName: true,
  key: true,
  batchCountMax: true,
  flushIntervalMs: true,
  waitingCountMax: true,
} as const;
