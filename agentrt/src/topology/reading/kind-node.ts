import { z } from "zod";
import { nearestName } from "../../core/index.ts";
import {
  classPathForm,
  classPathWanted,
  joinClassPath,
  deepFreeze,
  type KindNode,
  type NodeKind,
} from "../model/index.ts";
import { declaredSettings, text } from "../schema/index.ts";
import { checkSchema } from "./schema-check.ts";
import { gatherSettings, type SettingsSource } from "./settings-source.ts";
import {
  formatPath,
  type SourceMap,
  type SourcePath,
  type SourcePosition,
  toPlain,
} from "../source/index.ts";
import { readName, reportShape, type TreeReading } from "./tree-reading.ts";
import { findUnservedUses } from "./unserved.ts";

const classOwnKeys = new Set(["name", "type", "process", "module", "class"]);
const settingsOwnKeys = new Set(["name", "type", "process"]);

/*
 * Made once: to make a schema takes longer than to check a hundred values by it, and a tree has thousands of nodes.
 */
const processSchema = text("the name of a worker process, a string; put quotes around a number");
const [moduleWanted, classWanted] = [
  "the module that holds the class",
  "the name of the class in the module",
] as const;
const moduleSchema = text(moduleWanted);
const classSchema = text(classWanted);
const classPathSchema = z
  .string({ error: classPathWanted })
  .refine((type) => classPathForm(type) !== undefined, { error: classPathWanted });

/**
 * Reads a node whose `type:` names a kind or a class.
 *
 * @param source The node's mapping.
 * @param path Its place in the document.
 * @param options.reading Where faults and findings go.
 * @param options.isWrapped True when it is under `agent:`.
 * @returns The node, or `undefined` when its settings were wrong.
 */
export function readTyped(
  source: SourceMap,
  path: SourcePath,
  { reading, isWrapped }: { reading: TreeReading; isWrapped: boolean },
): KindNode | undefined {
  const entry = source.entries.get("type");
  const type =
    entry?.value.kind === "scalar" && typeof entry.value.value === "string"
      ? entry.value.value
      : undefined;
  const named = type === undefined ? undefined : reading.kinds.get(type);
  const kind = named ?? reading.kinds.get("agent");
  if (kind === undefined) throw new TypeError('The table of node kinds has no "agent"');
  if (isWrapped && kind.form === "settings") {
    reportShape(
      {
        source,
        path,
        message: `"type: ${kind.name}" is not an agent: write the item without "agent:"`,
      },
      reading,
    );
    return undefined;
  }
  const name = readName(source, path, {
    reading,
    fallback: kind.defaultName,
    owner: kind.form === "class" ? "agent" : kind.name,
  });
  const isByModule = kind.form === "class" && named !== undefined;
  const ownKeys = isByModule ? classOwnKeys : settingsOwnKeys;
  const classPath =
    kind.form === "class"
      ? readClassPath(source, path, { reading, isByModule, isWrapped })
      : undefined;
  const settings = gatherSettings({
    node: source,
    path,
    ownKeys,
    isConfigMerged: kind.form === "settings",
    log: reading.log,
  });
  const output = checkSchema(kind.settings, settings.map, {
    log: reading.log,
    pathOf: settings.pathOf,
    isSecret: ([key]) => kind.unquotedKeys?.includes(String(key)) === true,
    otherKeys: [...ownKeys, ...(kind.form === "settings" ? ["config"] : [])],
  });
  const process = readProcess(source, path, reading);
  collectUnserved({ kind, type: classPath, source, settings, path }, reading);
  if (output === undefined) {
    reading.brokenNames.add(name);
    return undefined;
  }
  const node: KindNode = {
    kind: kind.name,
    name,
    at: source.at,
    path: formatPath(path),
    ...(classPath === undefined ? {} : { type: classPath }),
    ...(process === undefined ? {} : { process }),
    settings: deepFreeze(output),
    declared: deepFreeze(declaredSettings(kind.settings, toPlain(settings.map))),
  };
  reading.sources.set(node, settings);
  const processAt = source.entries.get("process")?.value.at;
  if (process !== undefined && processAt !== undefined) reading.processAt.set(node, processAt);
  reading.nameAt.set(node, source.entries.get("name")?.value.at ?? source.at);
  return node;
}

function readProcess(
  source: SourceMap,
  path: SourcePath,
  reading: TreeReading,
): string | undefined {
  const entry = source.entries.get("process");
  if (entry === undefined) return undefined;
  return checkSchema(processSchema, entry.value, {
    log: reading.log,
    pathOf: () => [...path, "process"],
  });
}

/** Reads `type:` of a class, or `module:` and `class:`, to one class path. */
function readClassPath(
  source: SourceMap,
  path: SourcePath,
  {
    reading,
    isByModule,
    isWrapped,
  }: { reading: TreeReading; isByModule: boolean; isWrapped: boolean },
): string | undefined {
  const { log } = reading;
  if (isByModule) {
    const read = (key: string, schema: z.ZodType<string>, wanted: string): string | undefined => {
      const entry = source.entries.get(key);
      if (entry !== undefined)
        return checkSchema(schema, entry.value, { log, pathOf: () => [...path, key] });
      log.problem({
        check: "agents-named",
        path: formatPath([...path, key]),
        ...source.at,
        message: `missing: it must be ${wanted}`,
      });
      return undefined;
    };
    const module = read("module", moduleSchema, moduleWanted);
    const className = read("class", classSchema, classWanted);
    if (module === undefined || className === undefined) return undefined;
    const joined = joinClassPath(module, className);
    if (classPathForm(joined) !== undefined) return joined;
    const entry = source.entries.get("module") ?? { at: source.at };
    log.problem({
      check: "values",
      path: formatPath([...path, "module"]),
      ...entry.at,
      message: `module ${JSON.stringify(module)} with class ${JSON.stringify(className)} is not ${classPathWanted}`,
    });
    return undefined;
  }
  const entry = source.entries.get("type");
  if (entry === undefined || (entry.value.kind === "scalar" && entry.value.value === null)) {
    log.problem({
      check: "agents-named",
      path: formatPath([...path, "type"]),
      ...(entry?.at ?? source.at),
      message: `missing: it must be ${classPathWanted}`,
    });
    return undefined;
  }
  const type = checkSchema(classPathSchema, entry.value, { log, pathOf: () => [...path, "type"] });
  if (type !== undefined && classPathForm(type) === "short")
    checkShortName(
      { type, at: entry.value.at, path: formatPath([...path, "type"]), isWrapped },
      reading,
    );
  return type;
}

/** A short name in the flat form may be a misspelt kind; otherwise only loading can tell whether it resolves. */
function checkShortName(
  {
    type,
    at,
    path,
    isWrapped,
  }: { type: string; at: SourcePosition; path: string; isWrapped: boolean },
  reading: TreeReading,
): void {
  const nearest = isWrapped ? undefined : nearestName(type, reading.kinds.keys());
  if (nearest !== undefined) {
    reading.log.problem({
      check: "tree-well-formed",
      path,
      ...at,
      message: `unknown node type "${type}"; did you mean "${nearest}"?`,
      nearest,
    });
    return;
  }
  reading.log.note({
    check: "values",
    path,
    ...at,
    message: `"${type}" is a short name: it is found only through typeMap or a package's entrypoint`,
  });
}

function collectUnserved(
  found: {
    kind: NodeKind;
    type: string | undefined;
    source: SourceMap;
    settings: SettingsSource;
    path: SourcePath;
  },
  reading: TreeReading,
): void {
  const { kind, type, source, settings, path } = found;
  const typeEntry = source.entries.get("type");
  if (!kind.isServed) {
    reading.unserved.push({
      ...(typeEntry?.at ?? source.at),
      path: formatPath([...path, "type"]),
      key: `type: ${kind.name}`,
    });
    return;
  }
  if (type !== undefined && kind.isTypeServed?.(type) === false)
    reading.unserved.push({
      ...(typeEntry?.at ?? source.at),
      path: formatPath([...path, "type"]),
      key: `type: ${type}`,
    });
  reading.unserved.push(
    ...findUnservedUses({
      source: settings.map,
      keys: kind.unservedKeys ?? [],
      pathOf: settings.pathOf,
      owner: `${kind.name}: `,
    }),
  );
}
