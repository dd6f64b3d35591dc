import { fields } from "../../topology/index.ts";
import type { DescribedPlugin } from "./described-plugin.ts";

/** `type: console`: one line a span on stderr. */
export const consoleExporterKind: DescribedPlugin = {
  name: "console",
  keys: {},
  settings: fields.mapping({}),
};

/** The built-in exporters. */
export const exporterKinds: readonly DescribedPlugin[] = [consoleExporterKind];
