import { didYouMean, nearestName } from "../core/nearest-name.ts";
import { classPathForm, classPathWanted } from "./class-path.ts";
import type { StateStoreKind } from "./node-kind.ts";
import type { ProblemLog } from "./problem.ts";
import { checkSchema } from "./schema-check.ts";
import {
  formatPath,
  locate,
  type SourceMap,
  type SourceNode,
  type SourcePath,
} from "./source-node.ts";

/** What checking a state plugin needs beside it. */
export interface StatePluginContext {
  readonly kinds: readonly StateStoreKind[];
  readonly log: ProblemLog;
  /** The plugin's place in the document. */
  readonly path: SourcePath;
}

/**
 * Checks `plugins.state` beyond its shape: the settings of a built-in store, with those of the store it wraps, and
 * that any other type can name a class.
 *
 * @param plugin The mapping with `type` and `config`, its shape checked already.
 * @param context Where it stands, and the built-in stores.
 */
export function checkStatePlugin(plugin: SourceNode, context: StatePluginContext): void {
  const { log, kinds, path } = context;
  const type = locate(plugin, ["type"]);
  if (!type.isWhole || type.node.kind !== "scalar") return;
  const name = String(type.node.value);
  const kind = kinds.find((each) => each.name === name);
  if (kind === undefined) {
    checkOtherType(name, type.node, context);
    return;
  }
  const found = locate(plugin, ["config"]);
  const isGiven = found.isWhole && found.node.kind === "map";
  const empty: SourceMap = {
    kind: "map",
    at: plugin.kind === "map" ? type.keyAt : plugin.at,
    entries: new Map(),
  };
  const config = isGiven ? found.node : empty;
  const configPath = [...path, "config"];
  const settings = checkSchema(kind.settings, config, {
    log,
    pathOf: (inner) => [...configPath, ...inner],
    isSecret: ([key]) => kind.secretKeys?.includes(String(key)) === true,
  });
  const wrapped = kind.storeKey === undefined ? undefined : locate(config, [kind.storeKey]);
  if (settings === undefined) return;
  const note = kind.noteOn?.(settings);
  if (note !== undefined)
    log.note({ check: "values", path: formatPath(path), ...type.node.at, message: note });
  if (wrapped?.isWhole === true && kind.storeKey !== undefined)
    checkStatePlugin(wrapped.node, { ...context, path: [...configPath, kind.storeKey] });
}

/** A short name may be one that an installed package brings, which only running tells. */
function checkOtherType(
  name: string,
  node: SourceNode,
  { log, kinds, path }: StatePluginContext,
): void {
  const form = classPathForm(name);
  const names = kinds.map((kind) => kind.name);
  const nearest = nearestName(name, names);
  const hint = didYouMean(name, names);
  const found = {
    check: "values" as const,
    path: formatPath([...path, "type"]),
    ...node.at,
    ...(nearest === undefined ? {} : { nearest }),
  };
  if (form === undefined)
    log.problem({
      ...found,
      message: `found ${JSON.stringify(name)}, wanted one of ${names.join(", ")}, or ${classPathWanted}${hint}`,
    });
  else if (form === "short" && nearest !== undefined)
    log.note({
      ...found,
      message: `"${name}" is not built in: an installed package must bring it${hint}`,
    });
}
