import { mapping } from "../../topology/schema/fields.ts";
import type { PluginKind } from "../../topology/index.ts";

/** `type: console`: one line a span on stderr. */
export const consoleExporterKind: PluginKind = { name: "console", settings: mapping({}) };

/** The built-in exporters. */
export const exporterKinds: readonly PluginKind[] = [consoleExporterKind];
