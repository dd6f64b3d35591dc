import { nodeName } from "../schema/index.ts";
import type { KindNode, TopologyNode, UnservedUse, NodeKind } from "../model/index.ts";
import {
  type ProblemLog,
  type SourcePosition,
  formatPath,
  type SourceMap,
  type SourceNode,
  type SourcePath,
} from "../source/index.ts";
import { checkSchema } from "./schema-check.ts";
import type { SettingsSource } from "./settings-source.ts";

/** Made once, as a tree has thousands of names. */
const nameSchema = nodeName();

/** What reading a tree needs and gathers. */
export interface TreeReading {
  readonly log: ProblemLog;
  readonly kinds: ReadonlyMap<string, NodeKind>;
  /** Filled while reading: where the settings of each node are. */
  readonly sources: Map<KindNode, SettingsSource>;
  /** Filled while reading: where the name of each node is. */
  readonly nameAt: Map<TopologyNode, SourcePosition>;
  /** Filled while reading: where `process:` of each node is. */
  readonly processAt: Map<TopologyNode, SourcePosition>;
  /** Filled while reading: names of nodes whose settings were wrong, so that they are not in the tree. */
  readonly brokenNames: Set<string>;
  /** Filled while reading: uses of what this build does not serve. */
  readonly unserved: UnservedUse[];
}

/**
 * Reads `name:`.
 *
 * @param source The node's mapping.
 * @param path Its place in the document.
 * @param options.fallback The name of a node without one; without it a name is required.
 * @param options.owner What the node is, for the message.
 * @returns The name, or the empty string when it was wrong and the fault is in the log.
 */
export function readName(
  source: SourceMap,
  path: SourcePath,
  {
    reading,
    fallback,
    owner,
  }: { reading: TreeReading; fallback: string | undefined; owner: string },
): string {
  const entry = source.entries.get("name");
  if (entry === undefined && fallback !== undefined) return fallback;
  if (entry === undefined || (entry.value.kind === "scalar" && entry.value.value === null)) {
    reading.log.problem({
      check: "agents-named",
      path: formatPath([...path, "name"]),
      ...(entry?.at ?? source.at),
      message: `missing: this ${owner} must have a name`,
    });
    return "";
  }
  return (
    checkSchema(nameSchema, entry.value, {
      log: reading.log,
      pathOf: () => [...path, "name"],
      checkOf: () => "agents-named",
    }) ?? ""
  );
}

/** Logs that a part of the tree has the wrong form. */
export function reportShape(
  { source, path, message }: { source: SourceNode; path: SourcePath; message: string },
  reading: TreeReading,
): void {
  reading.log.problem({ check: "tree-well-formed", path: formatPath(path), ...source.at, message });
}
