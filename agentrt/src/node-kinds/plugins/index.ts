/** The plugins of this package that a topology may name by a short word: schemas of their `config`, no code of theirs. */
export type { DescribedPlugin } from "./described-plugin.ts";
export {
  consoleExporterKind,
  exporterKinds,
  otlpExporterKind,
  sqliteExporterKind,
} from "./exporters.ts";
export { anthropicKinds, modelKinds, openAiKinds } from "./models.ts";
export {
  encryptedStateKind,
  natsKvStateKind,
  postgresStateKind,
  sqliteStateKind,
  stateStoreKinds,
} from "./state-stores.ts";
