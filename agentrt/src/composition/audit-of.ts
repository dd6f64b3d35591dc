import { dirname, join } from "node:path";
import { auditKeyVariable, auditPathDefault, createAuditLog } from "../audit/index.ts";
import type {
  AuditEvent,
  AuditLog,
  AuditRefusal,
  AuditReport,
  JsonObject,
  JsonValue,
} from "../core/index.ts";
import { encryptedStateKind, sqliteStateKind, topologyServerKind } from "../node-kinds/index.ts";
import { isSupervisorNode, type Topology, walkTree } from "../topology/index.ts";

const stateFileDefault = "agency_state.db";

/**
 * Makes the audit log of a topology. One with a control plane has one, also where the file does not say so.
 *
 * @param topology A validated topology.
 * @param environment Has the key of the HMAC, or not.
 * @returns Undefined for none.
 */
export function auditOf(
  topology: Topology,
  environment: { readonly [name: string]: string | undefined },
): AuditLog | undefined {
  const { audit = {} } = topology;
  const { sink } = audit;
  if (sink === null || sink === "null") return undefined;
  const isAsked = Object.keys(audit).length > 0;
  if (!isAsked && !hasControlPlane(topology)) return undefined;
  const text = (value: JsonValue | undefined): string | undefined =>
    typeof value === "string" ? value : undefined;
  const number = (value: JsonValue | undefined): number | undefined =>
    typeof value === "number" ? value : undefined;
  const intervalSeconds = number(audit["flush_interval"]);
  return createAuditLog({
    sink: sink === "syslog" || sink === "otlp" ? sink : "jsonl",
    path: auditPathOf(topology),
    isLazy: !isAsked,
    isSynced: audit["sync_writes"] === true,
    address: text(audit["address"]),
    facility: text(audit["facility"]),
    endpoint: text(audit["endpoint"]),
    serviceName: text(audit["service_name"]),
    batchCountMax: number(audit["batch_size"]),
    flushIntervalMs: intervalSeconds === undefined ? 0 : Math.round(intervalSeconds * 1000),
    key: environment[auditKeyVariable] || undefined,
  });
}

/**
 * Says where the audit file of a topology is.
 *
 * @param topology A validated topology.
 * @returns What its `audit.path` says, else a file in the folder of the state file.
 */
export function auditPathOf({ audit, plugins }: Topology): string {
  const { path } = audit ?? {};
  if (typeof path === "string") return path;
  const stateFile = plugins.state === undefined ? undefined : stateFileOf(plugins.state);
  return stateFile === undefined ? auditPathDefault : join(dirname(stateFile), auditPathDefault);
}

function stateFileOf(entry: {
  readonly type: string;
  readonly config: JsonObject;
}): string | undefined {
  if (entry.type === sqliteStateKind.name) {
    const { db_path: path } = entry.config;
    return typeof path === "string" ? path : stateFileDefault;
  }
  if (entry.type !== encryptedStateKind.name) return undefined;
  const { store } = entry.config;
  if (typeof store !== "object" || store === null || Array.isArray(store)) return undefined;
  const { type, config } = store;
  if (typeof type !== "string") return undefined;
  return stateFileOf({
    type,
    config: typeof config === "object" && config !== null && !Array.isArray(config) ? config : {},
  });
}

function hasControlPlane(topology: Topology): boolean {
  return [...walkTree(topology.supervision)].some(
    (node) => !isSupervisorNode(node) && node.kind === topologyServerKind.name,
  );
}

/** What the control plane asks of the audit log of its runtime. */
interface AuditControl {
  recordAudit(event: AuditEvent): Promise<void>;
  noteRefusal(refusal: AuditRefusal): void;
  auditReport(): AuditReport | undefined;
  /** Says something loudly. */
  warn(message: string, fields: { readonly [name: string]: unknown }): void;
}

/**
 * Makes what a control plane records with.
 *
 * @param running The runtime, once it runs.
 */
export function auditControl(
  running: () => Omit<AuditControl, "warn"> & { readonly log: Pick<AuditControl, "warn"> },
): AuditControl {
  return {
    recordAudit: (event) => running().recordAudit(event),
    noteRefusal: (refusal) => running().noteRefusal(refusal),
    auditReport: () => running().auditReport(),
    warn: (message, fields) => running().log.warn(message, fields),
  };
}
