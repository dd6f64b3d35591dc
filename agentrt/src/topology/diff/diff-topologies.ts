import type { JsonObject } from "../../core/index.ts";
import { declaredSettings } from "../schema/index.ts";
import { diffTrees } from "./diff-tree.ts";
import { byId, diffFields, orderDifference } from "./diff-values.ts";
import { type Difference, differenceOf, type DiffSection } from "./difference.ts";
import { hideSecrets } from "./hide-secrets.ts";
import type {
  PluginEntry,
  Topology,
  TransportSettings,
  NodeKindTable,
  PluginKind,
} from "../model/index.ts";

/**
 * Compares two topologies by what they mean. A default counts as if it were written in the file. The order of keys,
 * comments, and the form in which a node is written make no difference. Only the two files count.
 *
 * @param from The first topology.
 * @param to The second.
 * @param kinds The table both were parsed with.
 * @returns The differences, by section, in an order that depends only on the files; none when both mean the same.
 */
export function diffTopologies(
  from: Topology,
  to: Topology,
  kinds: NodeKindTable,
): readonly Difference[] {
  const storeSecrets = kinds.stateStores.flatMap((kind) => kind.secretKeys ?? []);
  const modelSecrets = kinds.models.flatMap((kind) => kind.secretKeys ?? []);
  // Of one store in both files the defaults count as written; another store has other ones.
  const isSameStore = from.plugins.state?.type === to.plugins.state?.type;
  const stateOf = ({ plugins: { state } }: Topology) =>
    isSameStore && state ? { ...state, config: fullConfig(state, kinds.stateStores) } : state;
  const differences = [
    ...diffTrees(from.supervision, to.supervision, kinds),
    ...diffFields({
      section: "transport",
      subject: "",
      from: transportFields(from.transport),
      to: transportFields(to.transport),
    }),
    ...diffPluginList("models", { from, to, kinds: kinds.models }),
    ...diffPluginList("exporters", { from, to, kinds: kinds.exporters }),
    ...diffPlugin("state", stateOf(from), stateOf(to)),
    ...(["audit", "security", "mcp", "shutdown", "tracing", "resilience"] as const).flatMap(
      (section) =>
        diffFields({
          section,
          subject: "",
          from: from[section] ?? {},
          to: to[section] ?? {},
          itemKeys: section === "mcp" ? { servers: ["name"] } : {},
        }),
    ),
  ];
  return Object.freeze(
    differences.map((difference) => {
      const isPlugin = difference.section === "plugins";
      const builtIn = difference.subject === "state" ? storeSecrets : modelSecrets;
      const keys = isPlugin ? builtIn : (secretKeys[difference.section] ?? []);
      return hideSecrets(difference, new Set(keys));
    }),
  );
}

/** Keys that hold secrets, or where people put them. Those of state stores are in the table of these. */
const secretKeys: { readonly [section in DiffSection]?: readonly string[] } = {
  supervision: ["credentials"],
  security: ["nkey_seed", "server_secret_key", "client_secret_key"],
  mcp: ["env"],
};

/** The config of a plugin, with its defaults where it is built in; that of one it wraps, too. */
function fullConfig(
  { type, config }: { readonly type: string; readonly config: JsonObject },
  kinds: readonly PluginKind[],
): JsonObject {
  const kind = kinds.find((each) => each.name === type);
  if (kind === undefined) return config;
  const declared = declaredSettings(kind.settings, config);
  const wrapped = kind.wrappedKey === undefined ? undefined : declared[kind.wrappedKey];
  if (typeof wrapped !== "object" || wrapped === null || Array.isArray(wrapped)) return declared;
  const { type: innerType, config: innerConfig = {} } = wrapped;
  if (typeof innerType !== "string" || typeof innerConfig !== "object" || innerConfig === null)
    return declared;
  const inner = fullConfig({ type: innerType, config: innerConfig as JsonObject }, kinds);
  return { ...declared, [kind.wrappedKey ?? ""]: { ...wrapped, config: inner } };
}

function transportFields(transport: TransportSettings): JsonObject {
  return {
    type: transport.type,
    pub_addr: transport.pubAddr,
    sub_addr: transport.subAddr,
    start_proxy: transport.isProxyStarted,
    servers: [...transport.servers],
    jetstream: transport.isJetstream,
    stream_name: transport.streamName,
    replicas: transport.replicaCount,
  };
}

function diffPluginList(
  listKey: "models" | "exporters",
  {
    from,
    to,
    kinds,
  }: { readonly from: Topology; readonly to: Topology; readonly kinds: readonly PluginKind[] },
): Difference[] {
  const nameOf = (plugin: PluginEntry): string => plugin.name ?? plugin.type;
  const before = byId(from.plugins[listKey], nameOf);
  const after = byId(to.plugins[listKey], nameOf);
  // Of one plugin in both files the defaults count as written; another one has other defaults.
  for (const [name, plugin] of before) {
    const other = after.get(name);
    if (other?.type !== plugin.type) continue;
    before.set(name, { ...plugin, config: fullConfig(plugin, kinds) });
    after.set(name, { ...other, config: fullConfig(other, kinds) });
  }
  const names = new Set([...after.keys(), ...before.keys()]);
  const order = orderDifference([...before.keys()], [...after.keys()]);
  return [
    ...[...names].flatMap((name) =>
      diffPlugin(`${listKey}.${name}`, before.get(name), after.get(name)),
    ),
    ...(order === undefined
      ? []
      : [
          Object.freeze({
            section: "plugins" as const,
            change: "reordered" as const,
            subject: listKey,
            field: "",
            ...order,
          }),
        ]),
  ];
}

function diffPlugin(
  subject: string,
  from: PluginEntry | undefined,
  to: PluginEntry | undefined,
): Difference[] {
  if (from !== undefined && to !== undefined)
    return diffFields({
      section: "plugins",
      subject,
      from: pluginFields(from),
      to: pluginFields(to),
    });
  if (from === undefined && to === undefined) return [];
  return [
    differenceOf(
      { section: "plugins", subject, field: "" },
      { from: from && pluginFields(from), to: to && pluginFields(to) },
    ),
  ];
}

function pluginFields({ type, name, config }: PluginEntry): JsonObject {
  return { type, ...(name === undefined ? {} : { name }), config };
}
