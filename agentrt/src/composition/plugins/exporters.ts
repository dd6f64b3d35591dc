import process from "node:process";
import {
  createRedactor,
  type JsonObject,
  reasonOf,
  type Redactor,
  TableError,
} from "../../core/index.ts";
import { pluginErrors } from "../../plugins/index.ts";
import { ConsoleExporter, type SpanExporter } from "../../telemetry/index.ts";
import type { Topology } from "../../topology/index.ts";
import { compositionErrors } from "../errors.ts";
import { consoleExporterKind } from "../../node-kinds/plugins/exporters.ts";

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
  for (const { type, config, line1, column1 } of topology.plugins.exporters) {
    const at = `${topology.fileName}:${line1}:${column1}`;
    let loaded: unknown;
    try {
      loaded = await loadClass(type);
    } catch (cause) {
      if (cause instanceof pluginErrors.UNKNOWN_NAME && type === consoleExporterKind.name) {
        exporters.push(new ConsoleExporter((line) => void process.stderr.write(line), redactor));
        continue;
      }
      if (!(cause instanceof TableError)) throw cause;
      throw new compositionErrors.CLASS_NOT_LOADED({ at, reason: cause.message }, { cause });
    }
    exporters.push(makeOwn(loaded, { at, type, config }));
  }
  return exporters;
}

/** The redactor of a process: it knows the secrets of the environment. */
export function processRedactor(): Redactor {
  return createRedactor(process.env);
}

function makeOwn(
  loaded: unknown,
  { at, type, config }: { readonly at: string; readonly type: string; readonly config: JsonObject },
): SpanExporter {
  let exporter: object;
  try {
    exporter = new (loaded as new (config: JsonObject) => object)(config);
  } catch (cause) {
    const reason = `its constructor refused the config: ${reasonOf(cause)}`;
    throw new compositionErrors.EXPORTER_FAILED({ at, type, reason }, { cause });
  }
  if (typeof Reflect.get(exporter, "export") !== "function")
    throw new compositionErrors.EXPORTER_FAILED({ at, type, reason: "it has no method export" });
  return exporter as SpanExporter;
}
