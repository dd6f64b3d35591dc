import process from "node:process";
import { createRedactor, type Redactor } from "../../core/index.ts";
import { consoleExporterKind, compositionErrors } from "../../node-kinds/index.ts";
import { ConsoleExporter, type SpanExporter } from "../../telemetry/index.ts";
import { placeInFile, type Topology } from "../../topology/index.ts";
import { loadPlugin, makePlugin, type PluginEntry } from "./load-plugin.ts";

/** What making exporters needs of the world. */
export interface MakeExportersOptions {
  /** Loads the class that a type names when it is not built in. */
  readonly loadClass: (type: string) => Promise<unknown>;
  readonly redactor: Redactor;
}

/**
 * Makes the exporters that a topology names: an installed package's goes before the built-in one of the same name.
 *
 * @param topology Its `plugins.exporters`.
 * @param options How to load user classes.
 * @returns The exporters, in the file's order.
 * @throws AGENTRT_COMPOSITION_CLASS_NOT_LOADED, AGENTRT_COMPOSITION_EXPORTER_FAILED.
 */
export async function makeExporters(
  topology: Topology,
  { loadClass, redactor }: MakeExportersOptions,
): Promise<SpanExporter[]> {
  const exporters: SpanExporter[] = [];
  for (const plugin of topology.plugins.exporters) {
    const { type, config } = plugin;
    const entry = { type, config, at: placeInFile(topology.fileName, plugin) };
    const isBuiltIn = type === consoleExporterKind.name;
    const loaded = await loadPlugin(entry, { loadClass, isBuiltIn });
    exporters.push(
      loaded === undefined
        ? new ConsoleExporter((line) => void process.stderr.write(line), redactor)
        : makeOwn(loaded, entry),
    );
  }
  return exporters;
}

/** The redactor of a process: it knows the secrets of the environment. */
export function processRedactor(): Redactor {
  return createRedactor(process.env);
}

function makeOwn(loaded: unknown, { at, type, config }: PluginEntry): SpanExporter {
  const failed = (reason: string, options?: ErrorOptions): Error =>
    new compositionErrors.EXPORTER_FAILED({ at, type, reason }, options);
  return makePlugin<SpanExporter>(loaded, config, {
    methods: ["export"],
    faults: {
      refused: (reason, options) =>
        failed(`its constructor refused the config: ${reason}`, options),
      incomplete: () => failed("it has no method export"),
    },
  });
}
