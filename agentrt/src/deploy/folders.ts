import { dirname, isAbsolute, join, normalize } from "node:path/posix";
import type { JsonObject, JsonValue } from "../core/index.ts";
import {
  encryptedStateKind,
  sqliteExporterKind,
  sqliteStateKind,
  topologyServerKind,
} from "../node-kinds/index.ts";
import { isSupervisorNode, type Topology, walkTree } from "../topology/index.ts";

/** Files and folders that processes use besides their code. Paths are relative to the working directory, or absolute. */
export interface DeployedFolders {
  /** The file of the state store; undefined where it is not a file. */
  readonly stateFile: string | undefined;
  /** The audit log; undefined where it is not a file, or there is none. */
  readonly auditFile: string | undefined;
  /** Folders that are written to, apart from those. */
  readonly written: readonly string[];
  /** Keys and certificates that the topology names. */
  readonly keys: readonly string[];
}

/** @returns Which files and folders the processes of a topology use. */
export function foldersOf(topology: Topology): DeployedFolders {
  const { plugins } = topology;
  return {
    stateFile: plugins.state === undefined ? undefined : stateFileOf(plugins.state),
    auditFile: auditFileOf(topology),
    written: plugins.exporters
      .filter(({ type }) => type === sqliteExporterKind.name)
      .map(({ config }) => normalize(textOf(config["db_dir"]) ?? "telemetry").replace(/\/$/, "")),
    keys: keyFilesOf(topology),
  };
}

/**
 * Puts files of a topology where a container keeps them: values that are laid over those of the topology.
 *
 * @param topology Whose paths are changed.
 * @param folder Where they go.
 */
export function movedFiles(topology: Topology, folder: string): JsonObject {
  const { stateFile, auditFile } = foldersOf(topology);
  const moved = (file: string): string => join(folder, isAbsolute(file) ? baseOf(file) : file);
  const { state } = topology.plugins;
  return {
    ...(state === undefined || stateFile === undefined
      ? {}
      : { plugins: { state: { config: movedState(state, moved(stateFile)) } } }),
    ...(auditFile === undefined ? {} : { audit: { path: moved(auditFile) } }),
    ...(areSigningKeysMade(topology)
      ? { security: { identity: { key_dir: join(folder, "agentrt-keys") } } }
      : {}),
  };
}

function movedState({ type }: { readonly type: string }, path: string): JsonObject {
  return type === encryptedStateKind.name
    ? { store: { config: { db_path: path } } }
    : { db_path: path };
}

function stateFileOf(entry: {
  readonly type: string;
  readonly config: JsonObject;
}): string | undefined {
  const { type, config } = entry;
  if (type === sqliteStateKind.name) return textOf(config["db_path"]) ?? "agency_state.db";
  const store = objectOf(config["store"]);
  if (type !== encryptedStateKind.name || store["type"] !== sqliteStateKind.name) return undefined;
  return stateFileOf({ type: sqliteStateKind.name, config: objectOf(store["config"]) });
}

/** A control plane writes an audit log, whether the file says so or not. */
function auditFileOf({ audit = {}, plugins, supervision }: Topology): string | undefined {
  const { sink, path } = audit;
  const isAsked = Object.keys(audit).length > 0;
  if (!isAsked && ![...walkTree(supervision)].some(({ kind }) => kind === topologyServerKind.name))
    return undefined;
  if (sink !== undefined && sink !== "jsonl") return undefined;
  const stateFile = plugins.state === undefined ? undefined : stateFileOf(plugins.state);
  return textOf(path) ?? join(dirname(stateFile ?? "x"), "agentrt_audit.jsonl");
}

/** Keys of settings that name files of keys and certificates. */
const keyFileKeys: ReadonlySet<string> = new Set(["tls_cert", "tls_key", "tls_ca_cert"]);

function keyFilesOf({
  security = {},
  supervision,
  transport: { type },
}: Topology): readonly string[] {
  const { transport: secured, signing, identity } = security;
  const found: string[] = [];
  const add = (value: JsonValue | undefined): void => {
    if (typeof value === "string") found.push(normalize(value).replace(/\/$/, ""));
  };
  const zmq = objectOf(objectOf(objectOf(secured)["zmq"])["curve"]);
  if (type === "zmq" && Object.keys(zmq).length > 0) add(zmq["key_dir"] ?? "agentrt-keys");
  const tls = objectOf(objectOf(objectOf(secured)["nats"])["tls"]);
  if (type === "nats") for (const key of ["cert", "key", "ca"]) add(tls[key]);
  if (type !== "in_process" && objectOf(signing)["enabled"] === true && !areKeysMade(identity))
    add(objectOf(identity)["key_dir"] ?? "agentrt-keys");
  for (const node of walkTree(supervision))
    if (!isSupervisorNode(node))
      for (const part of [node.declared, objectOf(node.declared["auth"])])
        for (const [key, value] of Object.entries(part)) if (keyFileKeys.has(key)) add(value);
  return [...new Set(found)];
}

/** Processes make the keys that sign messages, and find each other's in the same folder. */
function areSigningKeysMade({ security = {}, transport: { type } }: Topology): boolean {
  const { signing, identity } = security;
  return type !== "in_process" && objectOf(signing)["enabled"] === true && areKeysMade(identity);
}

function areKeysMade(identity: JsonValue | undefined): boolean {
  return objectOf(identity)["mode"] !== "provisioned";
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
