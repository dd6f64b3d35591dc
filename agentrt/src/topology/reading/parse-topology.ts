import type { z } from "zod";
import type { JsonObject } from "../../core/index.ts";
import {
  type Environment,
  lineFrom,
  mergeParts,
  readDocument,
  ProblemLog,
  sortProblems,
  type TopologyCheck,
  type TopologyProblem,
  formatPath,
  locate,
  type SourceMap,
  type SourceNode,
  type SourcePart,
  type SourcePath,
  toPlain,
  Variables,
} from "../source/index.ts";
import {
  deepFreeze,
  type PluginEntry,
  type PluginSettings,
  type Topology,
  type TransportSettings,
  type NodeKindTable,
} from "../model/index.ts";
import { checkSchema, reportUnknownKey } from "./schema-check.ts";
import {
  auditSchema,
  shutdownSchema,
  tracingSchema,
  mcpSchema,
  pluginsSchema,
  securitySchema,
  transportOfKey,
  transportSchema,
} from "../schema/index.ts";
import { checkPlugin, checkPluginNames } from "./plugin-check.ts";
import { readSupervisor } from "./supervisor.ts";
import { noteBudgets } from "./note-budgets.ts";
import { checkTargets, readResilience } from "./resilience.ts";
import { checkTree } from "./tree-checks.ts";
import type { TreeReading } from "./tree-reading.ts";
import { findUnservedUses } from "./unserved.ts";

/** What parsing needs in addition to the text. */
export interface ParseTopologyOptions {
  /** Printed before every position. */
  readonly fileName: string;
  /** The kinds of nodes, and the keys, that the build knows. */
  readonly kinds: NodeKindTable;
  /** What `${NAME}` and `${NAME:-default}` read; without it such a text is left as it is. */
  readonly environment?: Environment | undefined;
  /** Takes the place of the file's `transport.type`. */
  readonly transport?: string | undefined;
  /** Goes where the file names no `transport.type`. */
  readonly transportDefault?: string | undefined;
  /** Tells what installs the client library of a transport, where it is missing: a note says so. `jetstream` is NATS with a stream. */
  readonly missingClient?: ((transport: string) => string | undefined) | undefined;
}

/** What came of a text. */
export interface ParsedTopology {
  /** The model; there exactly when `problems` is empty. */
  readonly topology?: Topology;
  /** Faults, by position. */
  readonly problems: readonly TopologyProblem[];
  /** Remarks that refuse nothing, by position. */
  readonly notes: readonly TopologyProblem[];
  /** What was read from the environment; there when an environment was given. */
  readonly variables?: Variables;
  /** The files as they were read; there when all of them could be. */
  readonly parts?: readonly [SourcePart, ...SourcePart[]];
}

const sectionNames = [
  "transport",
  "plugins",
  "supervision",
  "supervisor",
  "security",
  "audit",
  "mcp",
  "shutdown",
  "tracing",
  "resilience",
];

/**
 * Parses and checks a topology. Bad input of any kind comes back as problems; nothing throws, and no user code is loaded.
 *
 * @param text The file's text.
 * @param options File name and table of kinds.
 * @returns The frozen model or the problems, and notes.
 */
export function parseTopology(text: string, options: ParseTopologyOptions): ParsedTopology {
  return parseParts([{ fileName: options.fileName, text }], options);
}

/**
 * Parses and checks a topology that is made of several files, each laid over those before: mappings merge, children
 * merge by name, other lists and values replace, `null` removes. Positions name the file.
 *
 * @param parts The files, the one at the bottom first.
 * @param options Table of kinds, and what is put into the files.
 * @returns As `parseTopology`.
 */
export function parseParts(
  parts: readonly [SourcePart, ...SourcePart[]],
  options: Omit<ParseTopologyOptions, "fileName">,
): ParsedTopology {
  const { environment } = options;
  const variables = environment === undefined ? undefined : new Variables(environment);
  const [{ fileName }] = parts;
  const log = new ProblemLog(fileName, variables);
  const context = { log, hasSeveralParts: parts.length > 1, variables };
  const documents = parts.flatMap((part) => readDocument(part, context) ?? []);
  const [base, ...overlays] = documents;
  const isWhole = base !== undefined && log.problems.length === 0;
  const topology = isWhole
    ? readTopology(
        withTransport(mergeParts([base, ...overlays], defaultNames(options.kinds)), options),
        { ...options, fileName },
        log,
      )
    : undefined;
  return Object.freeze({
    ...(topology === undefined || log.problems.length > 0
      ? {}
      : { topology: deepFreeze(topology) }),
    problems: sortProblems(log.problems),
    notes: sortProblems(log.notes),
    ...(variables === undefined ? {} : { variables }),
    parts,
  });
}

function defaultNames({ kinds }: NodeKindTable): (type: string) => string | undefined {
  return (type) => kinds.find((kind) => kind.name === type)?.defaultName;
}

/** Puts another type of transport in the file's place; all else of the section stays, as far as it is one. */
function withTransport(
  document: SourceNode,
  given: Pick<ParseTopologyOptions, "transport" | "transportDefault">,
): SourceNode {
  if (document.kind !== "map") return document;
  const section = sectionOf(document, "transport");
  if (section.kind !== "map") return document;
  const byDefault = section.entries.has("type") ? undefined : given.transportDefault;
  const transport = given.transport ?? byDefault;
  if (transport === undefined) return document;
  const { at } = document.entries.get("transport") ?? section;
  const type = { at, value: { kind: "scalar" as const, at, value: transport } };
  const entries = new Map(section.entries).set("type", type);
  return {
    ...document,
    entries: new Map(document.entries).set("transport", { at, value: { ...section, entries } }),
  };
}

function readTopology(
  document: SourceNode,
  { fileName, kinds, environment, missingClient }: ParseTopologyOptions,
  log: ProblemLog,
): Topology | undefined {
  if (document.kind !== "map") {
    log.problem({
      check: "supervision-present",
      path: "",
      ...document.at,
      message: "wanted a mapping with the key supervision",
    });
    return undefined;
  }
  for (const [key, entry] of document.entries)
    if (!sectionNames.includes(key) && !key.startsWith("x-"))
      reportUnknownKey({ key, known: sectionNames, at: entry.at }, log, [key]);
  const reading: TreeReading = {
    log,
    kinds: new Map(kinds.kinds.map((kind) => [kind.name, kind])),
    sources: new Map(),
    nameAt: new Map(),
    processAt: new Map(),
    brokenNames: new Set(),
    unserved: findUnservedUses({
      source: document,
      keys: kinds.unservedKeys,
      pathOf: (path) => path,
      owner: "",
    }),
  };
  noteValues(document, [], { log, isSubstituted: environment !== undefined });
  const transport = readTransport(document, log);
  const isStored = transport.type === "nats" && transport.isJetstream;
  noteMissing(document, log, missingClient?.(isStored ? "jetstream" : transport.type));
  const plugins = readPlugins(document, kinds, log);
  const others = readOtherSections(document, log);
  const tools = readToolServers(document, log);
  const resilience = readResilience(sectionOf(document, "resilience"), log);
  const supervision = readSupervision(document, reading);
  if (supervision === undefined) return undefined;
  const modelNames = plugins.models.map(({ type, name = type }) => name);
  checkTree(supervision, reading, modelNames);
  if (plugins.state === undefined) noteBudgets(supervision, log);
  if (plugins.exporters.length === 0) noteTracing(document, log);
  const builtInTypes = kinds.models.map(({ name }) => name);
  const named = { plugins, supervision, builtInTypes, ...tools };
  checkTargets(resilience.targets, { document, log, ...named });
  if (transport.type === "in_process") noteProcesses(reading);
  const unserved = reading.unserved.sort((a, b) => a.line1 - b.line1 || a.column1 - b.column1);
  const read = { ...others, ...tools, ...resilience };
  return { fileName, transport, plugins, supervision, ...read, unserved };
}

/** Spans that nobody gets are not made, whatever part of them is to be recorded. */
function noteTracing(document: SourceMap, log: ProblemLog): void {
  const section = document.entries.get("tracing");
  if (section === undefined) return;
  const message =
    "no exporter of plugins.exporters gets spans: it counts only where OTEL_EXPORTER_OTLP_ENDPOINT names a collector";
  log.note({ check: "values", path: "tracing", ...section.at, message });
}

function readSupervision(document: SourceMap, reading: TreeReading) {
  const entry = document.entries.get("supervision");
  const alias = document.entries.get("supervisor");
  if (entry !== undefined && alias !== undefined)
    reading.log.problem({
      check: "supervision-present",
      path: "supervisor",
      ...alias.at,
      message: `"supervisor" means "supervision", which is at ${lineFrom(entry.at, alias.at)}: give one of them`,
    });
  const found = entry ?? alias;
  if (found === undefined || (found.value.kind === "scalar" && found.value.value === null)) {
    const message =
      found === undefined
        ? "the section supervision is missing"
        : "the section supervision is empty";
    reading.log.problem({
      check: "supervision-present",
      path: "supervision",
      ...(found?.at ?? document.at),
      message,
    });
    return undefined;
  }
  return readSupervisor(found.value, [entry === undefined ? "supervisor" : "supervision"], reading);
}

/** A section's mapping; one that is absent or null counts as empty. */
function sectionOf(document: SourceMap, name: string): SourceNode {
  const value = document.entries.get(name)?.value;
  const isEmpty = value === undefined || (value.kind === "scalar" && value.value === null);
  return isEmpty ? { kind: "map", at: value?.at ?? document.at, entries: new Map() } : value;
}

function contextOf(
  name: string,
  log: ProblemLog,
  checkOf: (path: SourcePath) => TopologyCheck = () => "values",
) {
  return { log, checkOf, pathOf: (path: SourcePath): SourcePath => [name, ...path] };
}

function readTransport(document: SourceMap, log: ProblemLog): TransportSettings {
  const source = sectionOf(document, "transport");
  const context = contextOf("transport", log, ([key]) =>
    key === "type" || key === undefined ? "transport" : "values",
  );
  const fields = checkSchema(transportSchema, source, context) ?? typeOnly(source);
  if (source.kind === "map") {
    for (const [key, entry] of source.entries) {
      const owner = transportOfKey[key];
      if (owner !== undefined && owner !== fields.type)
        log.note({
          check: "transport",
          path: `transport.${key}`,
          ...entry.at,
          message: `this belongs to ${owner} and has no effect under ${fields.type}`,
        });
    }
  }
  return {
    type: fields.type,
    pubAddr: fields.pub_addr,
    subAddr: fields.sub_addr,
    isProxyStarted: fields.start_proxy,
    servers: typeof fields.servers === "string" ? [fields.servers] : fields.servers,
    isJetstream: fields.jetstream,
    streamName: fields.stream_name,
    replicaCount: fields.replicas,
  };
}

/** A transport without its client library can be checked, not run. */
function noteMissing(document: SourceMap, log: ProblemLog, install: string | undefined): void {
  if (install === undefined) return;
  const { node } = locate(sectionOf(document, "transport"), ["type"]);
  const message = `its client library is not installed, which \`agentrt run\` needs: run \`${install}\``;
  log.note({ check: "transport", path: "transport.type", ...node.at, message });
}

/** Where another key is wrong, the type still says what the section is about. */
function typeOnly(source: SourceNode): z.output<typeof transportSchema> {
  const type = locate(source, ["type"]);
  const given = type.isWhole ? { type: toPlain(type.node) } : {};
  const { data } = transportSchema.safeParse(given);
  return data ?? transportSchema.parse({});
}

function readPlugins(
  document: SourceMap,
  { stateStores, models: modelKinds, exporters: exporterKinds }: NodeKindTable,
  log: ProblemLog,
): PluginSettings {
  const source = sectionOf(document, "plugins");
  const fields = checkSchema(pluginsSchema, source, contextOf("plugins", log));
  const state = locate(source, ["state"]);
  if (fields?.state && state.isWhole)
    checkPlugin(state.node, { kinds: stateStores, log, path: ["plugins", "state"] });
  const models = locate(source, ["models"]);
  if (fields?.models && models.node.kind === "list") {
    models.node.items.forEach((model, index) =>
      checkPlugin(model, { kinds: modelKinds, log, path: ["plugins", "models", index] }),
    );
    checkPluginNames(models.node.items, ["plugins", "models"], log);
  }
  const exporters = locate(source, ["exporters"]);
  if (fields?.exporters && exporters.node.kind === "list") {
    exporters.node.items.forEach((exporter, index) =>
      checkPlugin(exporter, { kinds: exporterKinds, log, path: ["plugins", "exporters", index] }),
    );
  }
  const entry = (
    plugin: { type: string; name?: string | undefined; config?: JsonObject | undefined },
    path: SourcePath,
  ): PluginEntry => ({
    type: plugin.type,
    ...(plugin.name === undefined ? {} : { name: plugin.name }),
    config: plugin.config ?? (Object.create(null) as JsonObject),
    ...locate(source, path).node.at,
  });
  return {
    models: (fields?.models ?? []).map((plugin, index) => entry(plugin, ["models", index])),
    exporters: (fields?.exporters ?? []).map((plugin, index) =>
      entry(plugin, ["exporters", index]),
    ),
    ...(fields?.state ? { state: entry(fields.state, ["state"]) } : {}),
  };
}

function readOtherSections(
  document: SourceMap,
  log: ProblemLog,
): { [name in "audit" | "security" | "shutdown" | "tracing"]?: JsonObject } {
  const sections: { [name: string]: JsonObject } = {};
  for (const [name, schema] of [
    ["audit", auditSchema],
    ["security", securitySchema],
    ["shutdown", shutdownSchema],
    ["tracing", tracingSchema],
  ] as const) {
    if (!document.entries.has(name)) continue;
    const source = sectionOf(document, name);
    if (checkSchema(schema, source, contextOf(name, log)) !== undefined)
      sections[name] = toPlain(source) as JsonObject;
  }
  return sections;
}

/** The section `mcp` as it is in the file, and its servers as its schema types them. */
function readToolServers(
  document: SourceMap,
  log: ProblemLog,
): Pick<Topology, "mcp" | "toolServers"> {
  if (!document.entries.has("mcp")) return { toolServers: [] };
  const source = sectionOf(document, "mcp");
  const fields = checkSchema(mcpSchema, source, contextOf("mcp", log));
  if (fields === undefined) return { toolServers: [] };
  return { mcp: toPlain(source) as JsonObject, toolServers: fields.servers ?? [] };
}

/**
 * Looks at every value: a number that is not finite is refused, and `${NAME}` is noted where it is kept as it is, which
 * surprises readers who know loaders that substitute.
 */
function noteValues(
  node: SourceNode,
  path: SourcePath,
  looking: { readonly log: ProblemLog; readonly isSubstituted: boolean },
): void {
  const { log, isSubstituted } = looking;
  if (node.kind === "map")
    for (const [key, entry] of node.entries) noteValues(entry.value, [...path, key], looking);
  if (node.kind === "list")
    node.items.forEach((item, index) => noteValues(item, [...path, index], looking));
  if (node.kind !== "scalar") return;
  const place = { path: formatPath(path), ...node.at };
  if (typeof node.value === "number" && !Number.isFinite(node.value))
    log.problem({ check: "values", ...place, message: "a number must be finite" });
  if (typeof node.value !== "string" || isSubstituted) return;
  const variable = /\$\{[A-Za-z_]\w*(?::-[^{}]*)?\}/.exec(node.value)?.[0];
  if (variable === undefined) return;
  log.note({
    check: "values",
    ...place,
    message: `${variable} is kept as it is written: only with --substitute-env it is read from the environment`,
  });
}

function noteProcesses({ log, processAt }: TreeReading): void {
  for (const [node, at] of processAt) {
    log.note({
      check: "transport",
      path: `${node.path}.process`,
      ...at,
      message: `"${node.name}" runs in this process: under in_process there are no worker processes`,
    });
  }
}
