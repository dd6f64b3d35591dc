import process from "node:process";
import { createRedactor, type Redactor } from "../../core/index.ts";
import {
  consoleExporterKind,
  compositionErrors,
  exporterKinds,
  otlpExporterKind,
  sqliteExporterKind,
} from "../../node-kinds/index.ts";
import {
  ConsoleExporter,
  OtlpExporter,
  otlpSettings,
  type SpanExporter,
  SqliteExporter,
} from "../../telemetry/index.ts";
import { placeInFile, type Topology } from "../../topology/index.ts";
import { loadPlugin, makePlugin, type PluginEntry } from "./load-plugin.ts";

type Environment = { readonly [name: string]: string | undefined };

/** What making exporters needs of the world. */
export interface MakeExportersOptions {
  /** Loads the class that a type names when it is not built in. */
  readonly loadClass: (type: string) => Promise<unknown>;
  readonly redactor: Redactor;
  readonly environment: Environment;
}

/**
 * Makes the exporters that a topology names: an installed package's goes before the built-in one of the same name. Where
 * it names none and the environment names a collector, that is where spans go.
 *
 * @param topology Its `plugins.exporters`.
 * @param options How to load user classes, and the environment.
 * @returns The exporters, in the file's order.
 * @throws AGENTRT_COMPOSITION_CLASS_NOT_LOADED, AGENTRT_COMPOSITION_EXPORTER_FAILED,
 *   AGENTRT_COMPOSITION_VARIABLE_MISSING, AGENTRT_TELEMETRY_SETTING_INVALID.
 */
export async function makeExporters(
  topology: Topology,
  options: MakeExportersOptions,
): Promise<SpanExporter[]> {
  const exporters: SpanExporter[] = [];
  for (const plugin of topology.plugins.exporters) {
    const { type, config } = plugin;
    const entry = { type, config, at: placeInFile(topology.fileName, plugin) };
    const isBuiltIn = exporterKinds.some(({ name }) => name === type);
    const loaded = await loadPlugin(entry, { loadClass: options.loadClass, isBuiltIn });
    exporters.push(
      loaded === undefined ? makeBuiltIn(entry, topology, options) : makeOwn(loaded, entry),
    );
  }
  if (topology.plugins.exporters.length > 0) return exporters;
  const { environment } = options;
  return isNamedByEnvironment(environment)
    ? [otlpExporter({ type: otlpExporterKind.name, config: {}, at: "" }, topology, environment)]
    : [];
}

/** The redactor of a process: it knows the secrets of the environment, those that only a topology names, too. */
export function processRedactor(secretNames: ReadonlySet<string>): Redactor {
  return createRedactor(process.env, { secretNames });
}

/** Where the variables of OpenTelemetry name a collector, and none of them says that there is to be nothing. */
function isNamedByEnvironment(environment: Environment): boolean {
  const isSet = (name: string): boolean => (environment[name]?.trim() ?? "") !== "";
  if (environment["OTEL_SDK_DISABLED"]?.trim().toLowerCase() === "true") return false;
  if (environment["OTEL_TRACES_EXPORTER"]?.trim() === "none") return false;
  return isSet("OTEL_EXPORTER_OTLP_ENDPOINT") || isSet("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
}

function makeBuiltIn(
  entry: PluginEntry,
  topology: Topology,
  { redactor, environment }: MakeExportersOptions,
): SpanExporter {
  switch (entry.type) {
    case consoleExporterKind.name:
      return new ConsoleExporter((line) => void process.stderr.write(line), redactor);
    case sqliteExporterKind.name:
      return new SqliteExporter(sqliteExporterKind.settings.parse(entry.config));
    default:
      return otlpExporter(entry, topology, environment);
  }
}

function otlpExporter(
  entry: PluginEntry,
  topology: Topology,
  environment: Environment,
): SpanExporter {
  const { headersFrom, ...options } = otlpExporterKind.settings.parse(entry.config);
  const headers = headersOf(headersFrom, entry.at, environment);
  // The tree is what the program is called when nobody says it better.
  const named = { OTEL_SERVICE_NAME: topology.supervision.name };
  return new OtlpExporter(otlpSettings({ ...options, headers }, withDefaults(environment, named)));
}

/** A name in the attributes goes before the default. */
function withDefaults(environment: Environment, defaults: Environment): Environment {
  const isNamed =
    (environment["OTEL_SERVICE_NAME"] ?? "") !== "" ||
    /(?:^|,)\s*service\.name=/.test(environment["OTEL_RESOURCE_ATTRIBUTES"] ?? "");
  return isNamed ? environment : { ...environment, ...defaults };
}

function headersOf(
  from: { readonly [header: string]: string },
  at: string,
  environment: Environment,
): { readonly [header: string]: string } {
  return Object.fromEntries(
    Object.entries(from).map(([header, variable]) => {
      const value = environment[variable];
      if (value !== undefined && value !== "") return [header.toLowerCase(), value];
      throw new compositionErrors.VARIABLE_MISSING({ at, owner: `exporter "otlp"`, variable });
    }),
  );
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
