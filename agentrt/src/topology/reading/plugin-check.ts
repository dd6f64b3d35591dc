import { didYouMean, nearestName } from "../../core/index.ts";
import { classPathForm, classPathWanted, type PluginKind } from "../model/index.ts";
import {
  type ProblemLog,
  formatPath,
  lineFrom,
  locate,
  type SourceMap,
  type SourceNode,
  type SourcePath,
  type SourcePosition,
} from "../source/index.ts";
import { checkSchema } from "./schema-check.ts";

/** What checking a plugin needs next to it. */
export interface PluginContext {
  /** The built-in ones of its sort. */
  readonly kinds: readonly PluginKind[];
  readonly log: ProblemLog;
  /** The plugin's place in the document. */
  readonly path: SourcePath;
}

/**
 * Checks a plugin beyond its shape: the settings of a built-in one, with those of the one it wraps, and that any other
 * type can name a class.
 *
 * @param plugin The mapping with `type` and `config`, its shape checked already.
 * @param context Where it is, and the built-in ones.
 */
export function checkPlugin(plugin: SourceNode, context: PluginContext): void {
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
    isSecret: ([key]) =>
      [...(kind.secretKeys ?? []), ...(kind.unquotedKeys ?? [])].includes(String(key)),
  });
  const wrapped = kind.wrappedKey === undefined ? undefined : locate(config, [kind.wrappedKey]);
  if (settings === undefined) return;
  const note = kind.noteOn?.(settings);
  if (note !== undefined)
    log.note({ check: "values", path: formatPath(path), ...type.node.at, message: note });
  if (wrapped?.isWhole === true && kind.wrappedKey !== undefined)
    checkPlugin(wrapped.node, { ...context, path: [...configPath, kind.wrappedKey] });
}

/** A short name may be one that an installed package brings, which only running tells. */
function checkOtherType(name: string, node: SourceNode, { log, kinds, path }: PluginContext): void {
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
  else if (form === "short")
    log.note({
      ...found,
      message: `"${name}" is not built in: an installed package must bring it${hint}`,
    });
}

/**
 * Refuses two plugins that go by one name: an entry's `name`, without one its type.
 *
 * @param plugins The entries, their shapes checked already.
 * @param path The list's place in the document.
 * @param log Where faults go.
 */
export function checkPluginNames(
  plugins: readonly SourceNode[],
  path: SourcePath,
  log: ProblemLog,
): void {
  const lines = new Map<string, SourcePosition>();
  plugins.forEach((plugin, index) => {
    const given = locate(plugin, ["name"]);
    const named = given.isWhole ? given : locate(plugin, ["type"]);
    if (named.node.kind !== "scalar") return;
    const name = String(named.node.value);
    const earlier = lines.get(name);
    if (earlier === undefined) {
      lines.set(name, named.node.at);
      return;
    }
    const key = given.isWhole ? "name" : "type";
    log.problem({
      check: "values",
      path: formatPath([...path, index, key]),
      ...named.node.at,
      message: `the entry of ${lineFrom(earlier, named.node.at)} goes by "${name}", too: give one of them another name`,
    });
  });
}
