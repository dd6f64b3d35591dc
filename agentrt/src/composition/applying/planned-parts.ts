import type { PluginEntry, Topology, ToolServerSettings } from "../../topology/index.ts";

/** A model provider or a tool server that comes, goes or is made again. */
export interface PlannedPart {
  readonly kind: "model" | "tool server";
  readonly name: string;
  readonly act: "close" | "open" | "replace";
}

/**
 * Compares the model providers and tool servers of two topologies.
 *
 * @param from The one that runs.
 * @param to The one that is to run.
 */
export function partsOf(from: Topology, to: Topology): PlannedPart[] {
  return [
    ...partsOfKind("model", modelTexts(from), modelTexts(to)),
    ...partsOfKind("tool server", toolTexts(from), toolTexts(to)),
  ];
}

/** @returns What each model provider is made from, by its name. */
export function modelTexts({ plugins }: Topology): Map<string, string> {
  const text = ({ type, config }: PluginEntry): string => JSON.stringify([type, config]);
  return new Map(plugins.models.map((entry) => [entry.name ?? entry.type, text(entry)]));
}

/** @returns What each tool server is made from, by its name. */
export function toolTexts({ toolServers }: Topology): Map<string, string> {
  const text = (entry: ToolServerSettings): string => JSON.stringify(entry);
  return new Map(toolServers.map((entry) => [entry.name, text(entry)]));
}

function partsOfKind(
  kind: PlannedPart["kind"],
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): PlannedPart[] {
  const names = new Set([...after.keys(), ...before.keys()]);
  return [...names].flatMap((name): PlannedPart[] => {
    const [old, next] = [before.get(name), after.get(name)];
    if (old === next) return [];
    const act = old === undefined ? "open" : next === undefined ? "close" : "replace";
    return [{ kind, name, act }];
  });
}
