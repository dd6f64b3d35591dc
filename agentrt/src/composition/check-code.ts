import { dirname, resolve } from "node:path";
import { type JsonObject, TableError } from "../core/index.ts";
import {
  encryptedStateKind,
  exporterKinds,
  modelKinds,
  stateStoreKinds,
  TreeLoader,
  withoutPlace,
} from "../node-kinds/index.ts";
import { createTypeLoader, type EntrypointGroup, type TypeLoader } from "../plugins/index.ts";
import {
  type PluginEntry,
  placeInFile,
  type Topology,
  type TopologyProblem,
} from "../topology/index.ts";
import { buildTree } from "./build-tree.ts";
import { builtInClasses } from "./built-in-classes.ts";
import { loadPlugin } from "./plugins/index.ts";

/**
 * Loads all user code that a topology names: classes of agents and plugins, hooks, middleware. Nothing is made of it:
 * no constructor runs, nothing is opened. What modules do when they are loaded, they do.
 *
 * @param topology A validated topology.
 * @param path Where it is: class paths count from its folder.
 * @returns What cannot be loaded, or is not what its place wants; in the order of the file.
 */
export async function checkCode(topology: Topology, path: string): Promise<TopologyProblem[]> {
  const problems: TopologyProblem[] = [];
  const { fileName } = topology;
  const report: Report = ({ at, path: place, message }) =>
    problems.push({ check: "code", fileName, ...at, path: place, message });
  const loader = createTypeLoader({ projectRoot: dirname(resolve(path)), typeMap: builtInClasses });
  try {
    await checkPlugins(topology, loader, report);
    const tree = new TreeLoader(fileName, loader, ({ node, reason }) =>
      report({ at: node.at, path: node.path, message: reason }),
    );
    await buildTree(topology, tree);
  } finally {
    loader.uninstall();
  }
  return problems;
}

type Report = (fault: {
  readonly at: TopologyProblem | PluginEntry | { line1: number; column1: number };
  readonly path: string;
  readonly message: string;
}) => void;

const builtIn: { readonly [group in Exclude<EntrypointGroup, "agents">]: readonly string[] } = {
  models: modelKinds.map((kind) => kind.name),
  exporters: exporterKinds.map((kind) => kind.name),
  state: stateStoreKinds.map((kind) => kind.name),
};

async function checkPlugins(
  { fileName, plugins }: Topology,
  loader: TypeLoader,
  report: Report,
): Promise<void> {
  const check = async (
    group: keyof typeof builtIn,
    entry: PluginEntry,
    path: string,
  ): Promise<void> => {
    const at = placeInFile(fileName, entry);
    const isBuiltIn = builtIn[group].includes(entry.type);
    const loadClass = (type: string): Promise<unknown> => loader.load(type, { group });
    try {
      await loadPlugin({ ...entry, at }, { loadClass, isBuiltIn });
    } catch (error) {
      if (!(error instanceof TableError)) throw error;
      report({ at: entry, path, message: withoutPlace(error.message, at) });
    }
    const inner = group === "state" ? storeInside(entry) : undefined;
    if (inner !== undefined) await check("state", inner, `${path}.config.store`);
  };
  for (const [index, entry] of plugins.models.entries())
    await check("models", entry, `plugins.models[${index}]`);
  for (const [index, entry] of plugins.exporters.entries())
    await check("exporters", entry, `plugins.exporters[${index}]`);
  if (plugins.state !== undefined) await check("state", plugins.state, "plugins.state");
}

/** The store that an encrypted one wraps, with the place of that one. */
function storeInside(entry: PluginEntry): PluginEntry | undefined {
  if (entry.type !== encryptedStateKind.name) return undefined;
  const { type, config } = entry.config["store"] as { type: string; config?: JsonObject };
  return { ...entry, type, config: config ?? {} };
}
