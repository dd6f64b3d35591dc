import { z } from "zod";
import { didYouMean, nearestName } from "../core/index.ts";
import { variableNamePattern } from "../state/state-keys.ts";
import {
  anyMapping,
  list,
  mapping,
  oneOf,
  seconds,
  text,
  textLike,
  wholeMilliseconds,
  wholeNumber,
} from "../topology/schema/fields.ts";
import type { NodeFinding, NodeKind, NodeKindTable } from "../topology/index.ts";
import { builtInClassNames } from "../gateway-settings/index.ts";
import { httpGatewayKind, topologyServerKind } from "./http-gateway.ts";
import { exporterKinds } from "./plugins/exporters.ts";
import { modelKinds } from "./plugins/models.ts";
import { stateStoreKinds } from "./plugins/state-stores.ts";

const classNames: readonly string[] = builtInClassNames;

const variableName = () => textLike(variableNamePattern, "the name of an environment variable");

const classSettings = mapping({
  config: anyMapping().nullish(),
  handle_timeout: seconds({ isZeroAllowed: false }).optional(),
  capabilities: list(text(), "a list of strings").optional(),
  capability_metadata: anyMapping().optional(),
  credentials: z
    .record(text("the name of a model provider"), variableName(), {
      error: "a mapping from model providers to the names of environment variables",
    })
    .optional(),
  public_key: text("a base64 string").optional(),
}).transform((fields) => ({
  /** Handed to the agent as `this.config`. */
  config: fields.config ?? Object.freeze({}),
  handleTimeoutMs:
    fields.handle_timeout === undefined ? undefined : wholeMilliseconds(fields.handle_timeout),
  capabilities: fields.capabilities ?? [],
  capabilityMetadata: fields.capability_metadata ?? Object.freeze({}),
  /** Environment variables that hold this agent's own keys, by model provider. */
  credentials: fields.credentials,
}));

/** Settings of a node that names a user's class. */
export type ClassSettings = z.output<typeof classSettings>;

function* checkCredentials(
  { credentials = {} }: ClassSettings,
  modelNames: readonly string[],
): Generator<NodeFinding> {
  for (const provider of Object.keys(credentials)) {
    if (modelNames.includes(provider)) continue;
    const nearest = nearestName(provider, modelNames);
    yield {
      path: ["credentials", provider],
      message: `plugins.models has no provider named "${provider}"${didYouMean(provider, modelNames)}`,
      ...(nearest === undefined ? {} : { nearest }),
    };
  }
}

function classKind(name: string, marker?: string): NodeKind<ClassSettings> {
  return {
    name,
    form: "class",
    settings: classSettings,
    isServed: true,
    unservedKeys: [{ path: "public_key" }],
    unquotedKeys: ["credentials"],
    check: ({ settings }, { modelNames }) => checkCredentials(settings, modelNames),
    // The runtime's own classes are named like user classes.
    isTypeServed: (type) => classNames.includes(type) || !/^agentrt[.#]/.test(type),
    draw: (node) => ({ label: node.type ?? "", ...(marker === undefined ? {} : { marker }) }),
  };
}

/** An agent: `agent: {name, type}`, the flat dotted form, or `type: agent` with `module` and `class`. */
export const agentKind: NodeKind<ClassSettings> = classKind("agent");

/** A call and cast server: `type: gen_server` with `module` and `class`. */
export const genServerKind: NodeKind<ClassSettings> = classKind("gen_server", "srv");

const dynamicSupervisorSettings = mapping({
  max_children: wholeNumber({ min: 1 }).nullish(),
  max_total_spawns: wholeNumber({ min: 1 }).nullish(),
  max_children_per_spawner: wholeNumber({ min: 1 }).nullish(),
  max_total_spawns_per_spawner: wholeNumber({ min: 1 }).nullish(),
  restart: oneOf(["permanent", "transient", "temporary", "never"], "lower").default("transient"),
  max_restarts: wholeNumber({ min: 0 }).default(3),
  restart_window: seconds({ isZeroAllowed: false }).default(60),
  spawner_allowlist: list(text(), "a list of agent names").nullish(),
  class_allowlist: list(text(), "a list of classes, as in `type:`").nullish(),
  on_spawn_requested: textLike(
    /^[^\s]+$/,
    "the path of a class, such as policies.SpawnPolicy",
  ).optional(),
}).transform((fields) => ({
  childCountMax: fields.max_children ?? undefined,
  spawnCountMax: fields.max_total_spawns ?? undefined,
  childCountMaxPerSpawner: fields.max_children_per_spawner ?? undefined,
  spawnCountMaxPerSpawner: fields.max_total_spawns_per_spawner ?? undefined,
  restart: fields.restart === "never" ? ("temporary" as const) : fields.restart,
  restartCountMax: fields.max_restarts,
  restartWindowMs: fields.restart_window * 1000,
  spawnerAllowlist: fields.spawner_allowlist ?? undefined,
  /** Paths of the classes that may be spawned; undefined for every class. */
  classPaths: fields.class_allowlist ?? undefined,
  /** Path of a class with the method `onSpawnRequested`. */
  hookPath: fields.on_spawn_requested,
}));

/** A supervisor that starts empty and gets its children while the tree runs. */
export const dynamicSupervisorKind: NodeKind<z.output<typeof dynamicSupervisorSettings>> = {
  name: "dynamic_supervisor",
  form: "settings",
  settings: dynamicSupervisorSettings,
  isSupervisor: true,
  isServed: true,
  draw: (_node, settings) => ({
    label: `max_children: ${settings.childCountMax ?? "∞"}`,
    marker: "dyn",
  }),
};

const evalAgentSettings = mapping({
  max_corrections_per_window: wholeNumber({ min: 0 }).default(10),
  window_seconds: seconds({ isZeroAllowed: false }).default(60),
  exporters: list(anyMapping(), "a list of exporters").optional(),
  class: textLike(/^[^\s]+$/, "the path of a class, such as judges.Judge").optional(),
}).transform((fields) => ({
  /** Path of a class derived from `EvalAgent`; undefined for the one that corrects nothing. */
  classPath: fields.class,
  correctionCountMax: fields.max_corrections_per_window,
  windowMs: wholeMilliseconds(fields.window_seconds),
  exporters: fields.exporters ?? [],
}));

/** An agent that watches evaluation events and sends corrections. */
export const evalAgentKind: NodeKind<z.output<typeof evalAgentSettings>> = {
  name: "eval_agent",
  form: "settings",
  settings: evalAgentSettings,
  isServed: true,
  unservedKeys: [{ path: "exporters" }],
  draw: (_node, settings) => ({
    label: `eval_agent  corrections: ${settings.correctionCountMax}/${settings.windowMs / 1000}s`,
  }),
};

const isFalse = (value: unknown): boolean => value === false;

/** The kinds of nodes of this build, and what it does not serve of the other sections. */
export const nodeKinds: NodeKindTable = {
  kinds: [
    agentKind,
    genServerKind,
    dynamicSupervisorKind,
    evalAgentKind,
    topologyServerKind,
    httpGatewayKind,
  ],
  stateStores: stateStoreKinds,
  models: modelKinds,
  exporters: exporterKinds,
  unservedKeys: [
    { path: "transport.type", isServed: (value) => value === "in_process" },
    { path: "audit", isServed: isEmptyOrNull },
    { path: "mcp.servers.*.sandbox", isServed: isEmptyOrNull },
    { path: "security.transport", isServed: isEmptyOrNull },
    { path: "security.signing.enabled", isServed: isFalse },
    { path: "security.identity", isServed: isEmptyOrNull },
  ],
};

function isEmptyOrNull(value: unknown): boolean {
  return value === null || (typeof value === "object" && Object.keys(value).length === 0);
}
