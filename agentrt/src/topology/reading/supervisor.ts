import { didYouMean, nearestName } from "../../core/index.ts";
import { readTyped } from "./kind-node.ts";
import type { KindNode, SupervisorNode, TopologyNode } from "../model/index.ts";
import {
  type TopologyCheck,
  describeFound,
  formatPath,
  locate,
  type ProblemLog,
  type SourceMap,
  type SourceNode,
  type SourcePath,
} from "../source/index.ts";
import { checkSchema } from "./schema-check.ts";
import { supervisorSchema } from "../schema/index.ts";
import { gatherSettings, type SettingsSource } from "./settings-source.ts";
import { readName, reportShape, type TreeReading } from "./tree-reading.ts";

const supervisorChecks: { readonly [key: string]: TopologyCheck } = {
  strategy: "strategies",
  backoff: "backoffs",
  max_restarts: "max-restarts",
};
const supervisorOwnKeys = new Set(["name", "children"]);
/**
 * Reads a supervisor and everything below it.
 *
 * @param source The supervisor's mapping.
 * @param path Its place in the document.
 * @param reading Where faults and findings go.
 * @returns The supervisor; where a field was wrong its default is used, and the fault is in the log.
 */
export function readSupervisor(
  source: SourceNode,
  path: SourcePath,
  reading: TreeReading,
): SupervisorNode | undefined {
  if (source.kind !== "map") {
    reportShape(
      {
        source,
        path,
        message: `found ${describeFound(source)}, wanted a supervisor with name and children`,
      },
      reading,
    );
    return undefined;
  }
  const name = readName(source, path, { reading, fallback: undefined, owner: "supervisor" });
  const settings = gatherSettings({
    node: source,
    path,
    ownKeys: supervisorOwnKeys,
    isConfigMerged: false,
    log: reading.log,
  });
  const fields =
    checkSchema(supervisorSchema, settings.map, {
      log: reading.log,
      pathOf: settings.pathOf,
      checkOf: ([key]) => supervisorChecks[String(key)] ?? "values",
      otherKeys: [...supervisorOwnKeys],
    }) ?? supervisorSchema.parse({});
  noteBackoff(fields, { settings, log: reading.log });
  const node: SupervisorNode = {
    kind: "supervisor",
    name,
    at: source.at,
    path: formatPath(path),
    strategy: fields.strategy,
    restartCountMax: fields.max_restarts,
    restartWindowMs: fields.restart_window * 1000,
    backoff: fields.backoff,
    backoffBaseMs: fields.backoff_base * 1000,
    backoffMaxMs: fields.backoff_max * 1000,
    ...(fields.budget === undefined
      ? {}
      : { budget: { usd: undefined, tokens: undefined, ...fields.budget } }),
    children: readChildren(source, path, reading),
  };
  reading.nameAt.set(node, source.entries.get("name")?.value.at ?? source.at);
  return node;
}

/** A first delay above the longest one: the longest one counts. */
function noteBackoff(
  { backoff_base: base, backoff_max: max }: { backoff_base: number; backoff_max: number },
  { settings, log }: { settings: SettingsSource; log: ProblemLog },
): void {
  if (base <= max) return;
  const key = settings.map.entries.has("backoff_base") ? "backoff_base" : "backoff_max";
  const found = locate(settings.map, [key]);
  log.note({
    check: "backoffs",
    path: formatPath(settings.pathOf([key])),
    ...found.node.at,
    message: `backoff_base is ${base} and backoff_max is ${max}: every delay is backoff_max`,
  });
}

function readChildren(source: SourceMap, path: SourcePath, reading: TreeReading): TopologyNode[] {
  const entry = source.entries.get("children");
  const children = entry?.value;
  const isEmpty =
    children === undefined ||
    (children.kind === "scalar" && children.value === null) ||
    (children.kind === "list" && children.items.length === 0);
  if (isEmpty) {
    reading.log.problem({
      check: "no-empty-supervisors",
      path: formatPath([...path, "children"]),
      ...(entry?.at ?? source.at),
      message: "this supervisor has no children: it must have at least one",
    });
    return [];
  }
  if (children.kind !== "list") {
    reportShape(
      {
        source: children,
        path: [...path, "children"],
        message: `found ${describeFound(children)}, wanted a list of nodes`,
      },
      reading,
    );
    return [];
  }
  return children.items.flatMap(
    (item, index) => readNode(item, [...path, "children", index], reading) ?? [],
  );
}

/** Tells the form of a child and reads it. */
function readNode(
  source: SourceNode,
  path: SourcePath,
  reading: TreeReading,
): TopologyNode | undefined {
  if (source.kind !== "map") {
    reportShape(
      {
        source,
        path,
        message: `found ${describeFound(source)}, wanted an agent, a supervisor or another node`,
      },
      reading,
    );
    return undefined;
  }
  for (const wrapper of ["supervisor", "agent"] as const) {
    const entry = source.entries.get(wrapper);
    if (entry === undefined) continue;
    refuseBeside(source, { wrapper, path, reading });
    const inner = [...path, wrapper];
    return wrapper === "supervisor"
      ? readSupervisor(entry.value, inner, reading)
      : readWrappedAgent(entry.value, inner, reading);
  }
  const type = source.entries.get("type")?.value;
  if (type === undefined) return reportFormless(source, path, reading);
  return readTyped(source, path, { reading, isWrapped: false });
}

function refuseBeside(
  source: SourceMap,
  { wrapper, path, reading }: { wrapper: string; path: SourcePath; reading: TreeReading },
): void {
  for (const [key, entry] of source.entries) {
    if (key === wrapper) continue;
    reading.log.problem({
      check: "tree-well-formed",
      path: formatPath([...path, key]),
      ...entry.at,
      message: `"${key}" is next to "${wrapper}:": indent it to make it a key of the ${wrapper}`,
    });
  }
}

function reportFormless(source: SourceMap, path: SourcePath, reading: TreeReading): undefined {
  const firstKey = source.entries.keys().next().value ?? "";
  const name = source.entries.get("name")?.value;
  const isKindName = reading.kinds.has(firstKey) && source.entries.size === 1;
  const words = ["supervisor", "agent"];
  const nearest = source.entries.size === 1 ? nearestName(firstKey, words) : undefined;
  const who =
    name?.kind === "scalar" && typeof name.value === "string" ? `"${name.value}"` : "this node";
  const hint = isKindName
    ? `write "type: ${firstKey}" with its keys in the item itself`
    : `it needs "type:", or must be under "agent:" or "supervisor:"${source.entries.size === 1 ? didYouMean(firstKey, words) : ""}`;
  const isUntypedAgent = nearest === undefined && !isKindName && name !== undefined;
  reading.log.problem({
    check: isUntypedAgent ? "agents-named" : "tree-well-formed",
    path: formatPath(path),
    ...source.at,
    message: `${who} is neither a supervisor nor an agent: ${hint}`,
    ...(nearest === undefined ? {} : { nearest }),
  });
  return undefined;
}

function readWrappedAgent(
  source: SourceNode,
  path: SourcePath,
  reading: TreeReading,
): KindNode | undefined {
  if (source.kind === "map") return readTyped(source, path, { reading, isWrapped: true });
  reportShape(
    { source, path, message: `found ${describeFound(source)}, wanted an agent with name and type` },
    reading,
  );
  return undefined;
}
