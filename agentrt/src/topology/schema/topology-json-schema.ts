import type { JsonObject, JsonValue } from "../../core/index.ts";
import {
  classPathPattern,
  type NodeKind,
  type NodeKindTable,
  type PluginKind,
} from "../model/index.ts";
import { describeKeys, fieldJsonSchema, type KeyDescriptions } from "./field-json-schema.ts";
import { nodeName, text } from "./fields.ts";
import { resilienceSchema } from "./resilience.ts";
import {
  auditSchema,
  mcpSchema,
  shutdownSchema,
  tracingSchema,
  pluginsSchema,
  securitySchema,
  supervisorSchema,
  transportSchema,
} from "./sections.ts";

/**
 * Makes the JSON Schema (draft 2020-12) of a topology file, by which editors complete and check it. It accepts all
 * that the parser accepts. Some faults only the parser can find: names that occur twice, references between nodes, a
 * key in two places, a misspelt kind that could be a short name.
 *
 * @param kinds The kinds of nodes.
 * @param descriptions What each key is for.
 * @returns The schema.
 * @throws TypeError when a key has no description, or a description no key: a fault of the tables.
 */
export function topologyJsonSchema(
  kinds: NodeKindTable,
  descriptions: KeyDescriptions,
): JsonObject {
  const used = new Set<string>();
  const describe = (path: string): string => {
    const description = descriptions[path];
    if (description === undefined) throw new TypeError(`The key ${path} has no description`);
    used.add(path);
    return description;
  };
  const document = documentSchema(kinds, describe);
  const unused = Object.keys(descriptions).filter((path) => !used.has(path));
  if (unused.length > 0) throw new TypeError(`No key has the description ${unused.join(", ")}`);
  return document;
}

type Describe = (path: string) => string;

function documentSchema(kinds: NodeKindTable, describe: Describe): JsonObject {
  const tree = { description: describe("supervision"), $ref: "#/$defs/supervisor" };
  const sections = {
    transport: fieldJsonSchema(transportSchema),
    plugins: pluginsJsonSchema(kinds, describe),
    audit: fieldJsonSchema(auditSchema),
    security: fieldJsonSchema(securitySchema),
    mcp: fieldJsonSchema(mcpSchema),
    shutdown: fieldJsonSchema(shutdownSchema),
    tracing: fieldJsonSchema(tracingSchema),
    resilience: fieldJsonSchema(resilienceSchema),
  };
  const properties: JsonObject = {};
  for (const [name, section] of Object.entries(sections)) {
    describeKeys(section, name, describe);
    properties[name] = { description: describe(name), anyOf: [section, { type: "null" }] };
  }
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "agentrt topology",
    description: "Transport, plugins and supervision tree of a runtime of agents.",
    type: "object",
    properties: {
      supervision: tree,
      supervisor: { ...tree, description: describe("supervisor") },
      ...properties,
    },
    patternProperties: { "^x-": { description: "Of your own, for anchors: nothing reads it." } },
    oneOf: [{ required: ["supervision"] }, { required: ["supervisor"] }],
    additionalProperties: false,
    $defs: {
      name: fieldJsonSchema(nodeName()),
      class_path: {
        type: "string",
        pattern: classPathPattern,
        not: { enum: kinds.kinds.map((kind) => kind.name) },
      },
      supervisor: supervisorJsonSchema(describe),
      ...nodeDefinitions(kinds, describe),
    },
  };
}

function pluginsJsonSchema(kinds: NodeKindTable, describe: Describe): JsonObject {
  const plugins = fieldJsonSchema(pluginsSchema);
  const properties = plugins["properties"] as { [key: string]: JsonObject };
  const [modelList] = (properties["models"]?.["anyOf"] ?? []) as { items?: JsonObject }[];
  if (modelList !== undefined)
    modelList.items = {
      ...modelList.items,
      allOf: [pluginKindsJsonSchema(kinds.models, "plugins.models.*", describe)],
    };
  const [exporterList] = (properties["exporters"]?.["anyOf"] ?? []) as { items?: JsonObject }[];
  if (exporterList !== undefined)
    exporterList.items = {
      ...exporterList.items,
      allOf: [pluginKindsJsonSchema(kinds.exporters, "plugins.exporters.*", describe)],
    };
  properties["state"] = {
    ...properties["state"],
    allOf: [pluginKindsJsonSchema(kinds.stateStores, "plugins.state", describe)],
  };
  return plugins;
}

/** One of the built-in plugins of a sort with its own config, or any other one. */
function pluginKindsJsonSchema(
  kinds: readonly PluginKind[],
  path: string,
  describe: Describe,
): JsonObject {
  const builtIn = kinds.map(({ name, settings }) => {
    const config = fieldJsonSchema(settings);
    describeKeys(config, `${path}.config(${name})`, describe);
    const isNeeded = config["required"] !== undefined;
    return {
      properties: { type: { const: name }, config },
      ...(isNeeded ? { required: ["config"] } : {}),
    };
  });
  const names = kinds.map((kind) => kind.name);
  return { anyOf: [...builtIn, { properties: { type: { not: { enum: names } } } }] };
}

function supervisorJsonSchema(describe: Describe): JsonObject {
  const schema = fieldJsonSchema(supervisorSchema);
  describeKeys(schema, "supervisor", describe);
  return {
    type: "object",
    properties: {
      name: { description: describe("supervisor.name"), $ref: "#/$defs/name" },
      ...(schema["properties"] as JsonObject),
      children: {
        description: describe("supervisor.children"),
        type: "array",
        minItems: 1,
        items: { $ref: "#/$defs/node" },
      },
    },
    required: ["name", "children"],
    additionalProperties: false,
  };
}

/** The forms of an item of `children`, and each kind of node. */
function nodeDefinitions(kinds: NodeKindTable, describe: Describe): JsonObject {
  const classKinds = kinds.kinds.filter((kind) => kind.form === "class");
  const settingsKinds = kinds.kinds.filter((kind) => kind.form === "settings");
  const definitions: JsonObject = {};
  for (const kind of classKinds) definitions[kind.name] = classJsonSchema(kind, describe, true);
  const [agent] = classKinds;
  if (agent !== undefined) definitions["class"] = classJsonSchema(agent, describe, false);
  for (const kind of settingsKinds) {
    const config = fieldJsonSchema(kind.settings);
    describeKeys(config, kind.name, describe);
    definitions[`${kind.name}_config`] = config;
    definitions[kind.name] = settingsJsonSchema(kind, config, describe);
  }
  const refs = (names: readonly string[]): JsonValue[] =>
    names.map((name) => ({ $ref: `#/$defs/${name}` }));
  const classes = refs(["class", ...classKinds.map((kind) => kind.name)]);
  const wrapped = (key: string, schema: JsonObject): JsonObject => ({
    type: "object",
    properties: { [key]: { description: describe(`node.${key}`), ...schema } },
    required: [key],
    additionalProperties: false,
  });
  return {
    node: {
      anyOf: [
        wrapped("agent", { anyOf: classes }),
        wrapped("supervisor", { $ref: "#/$defs/supervisor" }),
        ...refs(settingsKinds.map((kind) => kind.name)),
        ...classes,
      ],
    },
    ...definitions,
  };
}

function commonKeys(describe: Describe): JsonObject {
  return {
    name: { description: describe("node.name"), $ref: "#/$defs/name" },
    process: { description: describe("node.process"), ...fieldJsonSchema(text()) },
  };
}

/** A node that names a class: either only by `type:`, or by the kind together with `module:` and `class:`. */
function classJsonSchema(kind: NodeKind, describe: Describe, isByModule: boolean): JsonObject {
  const settings = fieldJsonSchema(kind.settings);
  describeKeys(settings, "class", describe);
  const type = isByModule ? { const: kind.name } : { $ref: "#/$defs/class_path" };
  const byModule = {
    module: { description: describe("class.module"), ...fieldJsonSchema(text()) },
    class: { description: describe("class.class"), ...fieldJsonSchema(text()) },
  };
  return {
    type: "object",
    properties: {
      ...commonKeys(describe),
      type: { description: describe(isByModule ? "node.type" : "class.type"), ...type },
      ...(isByModule ? byModule : {}),
      ...(settings["properties"] as JsonObject),
    },
    required: isByModule ? ["name", "type", "module", "class"] : ["name", "type"],
    additionalProperties: false,
  };
}

/** A node whose settings are under `config:` or next to it. */
function settingsJsonSchema(kind: NodeKind, config: JsonObject, describe: Describe): JsonObject {
  const reference = `#/$defs/${kind.name}_config`;
  const atNodeLevel: JsonObject = {};
  for (const key of Object.keys(config["properties"] as JsonObject))
    atNodeLevel[key] = { $ref: `${reference}/properties/${key}` };
  return {
    type: "object",
    properties: {
      ...commonKeys(describe),
      type: { description: describe("node.type"), const: kind.name },
      config: {
        description: describe("node.config"),
        anyOf: [{ $ref: reference }, { type: "null" }],
      },
      ...atNodeLevel,
    },
    required: kind.defaultName === undefined ? ["name", "type"] : ["type"],
    additionalProperties: false,
  };
}
