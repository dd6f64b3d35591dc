/** Builds what a topology file configures outside the tree: models, the state store, exporters and tool servers. */
export { makeExporters, processRedactor } from "./exporters.ts";
export { type BuiltInModel, makeModels, resolveModels } from "./models.ts";
export { loadPlugin } from "./load-plugin.ts";
export { openStateStore } from "./state-store.ts";
export { toolSourcesOf } from "./tool-sources.ts";
