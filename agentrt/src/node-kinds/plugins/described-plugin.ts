import type { KeyDescriptions, PluginKind } from "../../topology/index.ts";

/** A built-in plugin, with what its keys are for. */
export interface DescribedPlugin<Settings extends object = object> extends PluginKind<Settings> {
  /** What each key of its `config` is for, for the JSON Schema. */
  readonly keys: KeyDescriptions;
}
