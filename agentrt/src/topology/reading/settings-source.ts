import {
  formatPath,
  lineFrom,
  locate,
  type SourceEntry,
  type SourceMap,
  type SourcePath,
  type SourcePosition,
  type ProblemLog,
} from "../source/index.ts";

/** The settings of one node, gathered from node level and from `config:`, with the way back to the document. */
export interface SettingsSource {
  readonly map: SourceMap;
  /** The document path of a path into the settings. */
  readonly pathOf: (path: SourcePath) => SourcePath;
}

/** What is gathered, and from where. */
export interface GatherOptions {
  readonly node: SourceMap;
  readonly path: SourcePath;
  /** Node-level keys that are not settings. */
  readonly ownKeys: ReadonlySet<string>;
  /** True when the keys of `config:` are settings; false when `config` is one of the settings itself. */
  readonly isConfigMerged: boolean;
  readonly log: ProblemLog;
}

/**
 * Gathers a node's settings. A key that is both at node level and under `config:` is an error.
 *
 * @param options Where to look.
 * @returns The settings as one mapping.
 */
export function gatherSettings({
  node,
  path,
  ownKeys,
  isConfigMerged,
  log,
}: GatherOptions): SettingsSource {
  const entries = new Map<string, SourceEntry>();
  const configKeys = new Set<string>();
  for (const [key, entry] of node.entries)
    if (!ownKeys.has(key) && !(isConfigMerged && key === "config")) entries.set(key, entry);
  const config = isConfigMerged ? node.entries.get("config")?.value : undefined;
  if (config?.kind === "map") {
    for (const [key, entry] of config.entries) {
      const outer = entries.get(key);
      if (outer === undefined) {
        entries.set(key, entry);
        configKeys.add(key);
        continue;
      }
      log.problem({
        check: "tree-well-formed",
        path: formatPath([...path, "config", key]),
        ...entry.at,
        message: `"${key}" is both here and at node level, ${lineFrom(outer.at, entry.at)}: give it once`,
      });
    }
  } else if (config !== undefined && !(config.kind === "scalar" && config.value === null)) {
    log.problem({
      check: "values",
      path: formatPath([...path, "config"]),
      ...config.at,
      message: "wanted a mapping of settings",
    });
  }
  const map: SourceMap = { kind: "map", at: node.at, entries };
  return {
    map,
    pathOf: (inner) =>
      configKeys.has(String(inner[0])) ? [...path, "config", ...inner] : [...path, ...inner],
  };
}

/**
 * Finds where a path of the settings is in the file.
 *
 * @param source The settings.
 * @param path Keys and indices from the settings.
 * @returns The value's position, or that of the deepest mapping that is there.
 */
export function positionInSettings(source: SettingsSource, path: SourcePath): SourcePosition {
  return locate(source.map, path).node.at;
}
