import { budgetKeysAt, type KeyDescriptions } from "../topology/index.ts";
import { limitKeys } from "./agent-limits.ts";
import { buildableKinds } from "./node-kind-table.ts";
import { exporterKinds, modelKinds, stateStoreKinds } from "./plugins/index.ts";

/** What the settings of each kind of node, and of each built-in plugin, are for. */
export const kindKeyDescriptions: KeyDescriptions = {
  ...under(stateStoreKinds, (name) => `plugins.state.config(${name})`),
  ...under(exporterKinds, (name) => `plugins.exporters.*.config(${name})`),
  ...under(modelKinds, (name) => `plugins.models.*.config(${name})`),
  ...under(buildableKinds, (name) => name),
  ...under([{ name: "class", keys: { ...limitKeys, ...budgetKeysAt("budget") } }], (name) => name),
};

function under(
  kinds: readonly { readonly name: string; readonly keys?: KeyDescriptions }[],
  pathOf: (name: string) => string,
): KeyDescriptions {
  return Object.fromEntries(
    kinds.flatMap(({ name, keys = {} }) =>
      Object.entries(keys).map(([key, description]) => [`${pathOf(name)}.${key}`, description]),
    ),
  );
}
