import type { JsonObject, ModelProvider, NamedModel } from "../../core/index.ts";
import { AnthropicModel, OpenAiModel } from "../../plugins/index.ts";
import { placeInFile, type Topology } from "../../topology/index.ts";
import { anthropicKinds, openAiKinds, compositionErrors } from "../../node-kinds/index.ts";
import { loadPlugin, makePlugin, type PluginEntry } from "./load-plugin.ts";

/** What making providers needs of the world. */
export interface MakeModelsOptions {
  /** Loads the class that a type names when it is not built in. */
  readonly loadClass: (type: string) => Promise<unknown>;
  /** Called when an installed package takes the name of a built-in provider. */
  readonly warn: (message: string) => void;
}

/** A built-in provider, as a program names it: the same words as in a topology. */
export interface BuiltInModel {
  /** `anthropic` or `llm_provider_a`, `openai` or `llm_provider_b`. */
  readonly type: string;
  /** Default: the type. */
  readonly name?: string | undefined;
  /** The keys of the topology: `default_model`, `base_url`, … */
  readonly config?: JsonObject | undefined;
}

/**
 * Makes the providers that a topology names. Nothing is opened yet: the runtime does that at its start.
 *
 * @param topology Its `plugins.models`, whose settings were checked when the file was read.
 * @param options How to load user classes, and where warnings go.
 * @returns The providers, the default one first.
 * @throws AGENTRT_COMPOSITION_*, AGENTRT_PLUGIN_* and AGENTRT_MODEL_*.
 */
export async function makeModels(
  topology: Topology,
  { loadClass, warn }: MakeModelsOptions,
): Promise<NamedModel[]> {
  const models: NamedModel[] = [];
  for (const plugin of topology.plugins.models) {
    const { type, name = type, config } = plugin;
    const at = placeInFile(topology.fileName, plugin);
    const entry: PluginEntry = { type, config, at };
    const loaded = await loadPlugin(entry, { loadClass, isBuiltIn: isBuiltIn(type) });
    if (loaded !== undefined && isBuiltIn(type))
      warn(`the model provider "${type}" is that of an installed package, not the built-in one`);
    const provider = loaded === undefined ? builtIn(type, config) : makeOwn(loaded, entry);
    models.push({ name, provider });
  }
  return models;
}

/**
 * Makes the providers that a program names.
 *
 * @param models Providers under a name, or built-in ones by type.
 * @returns The providers, the default one first.
 * @throws AGENTRT_COMPOSITION_MODEL_UNKNOWN, AGENTRT_COMPOSITION_MODEL_FAILED, AGENTRT_MODEL_CONFIG_INVALID.
 */
export function resolveModels(models: readonly (NamedModel | BuiltInModel)[]): NamedModel[] {
  return models.map((model) => {
    if ("provider" in model) return model;
    const { type, name = type, config = {} } = model;
    if (!isBuiltIn(type)) throw new compositionErrors.MODEL_UNKNOWN({ type });
    const [kind] = [...anthropicKinds, ...openAiKinds];
    const checked = kind?.settings.safeParse(config);
    const issue = checked?.success === false ? checked.error.issues[0] : undefined;
    if (issue !== undefined) {
      const reason =
        issue.code === "unrecognized_keys"
          ? `unknown key "${issue.keys.join('", "')}"; known are ${issue.message.replaceAll(" ", ", ")}`
          : `${issue.path.join(".")}: want ${issue.message}`;
      throw new compositionErrors.MODEL_FAILED({ at: "models", type, reason: `config: ${reason}` });
    }
    return { name, provider: builtIn(type, config) };
  });
}

function isBuiltIn(type: string): boolean {
  return [...anthropicKinds, ...openAiKinds].some((kind) => kind.name === type);
}

function builtIn(type: string, config: JsonObject): ModelProvider {
  const kind = anthropicKinds.find((each) => each.name === type);
  if (kind !== undefined) return new AnthropicModel(kind.settings.parse(config));
  const [openAi] = openAiKinds;
  return new OpenAiModel(openAi?.settings.parse(config));
}

function makeOwn(loaded: unknown, { at, type, config }: PluginEntry): ModelProvider {
  const failed = (reason: string, options?: ErrorOptions): Error =>
    new compositionErrors.MODEL_FAILED({ at, type, reason }, options);
  return makePlugin<ModelProvider>(loaded, config, {
    methods: ["chat"],
    faults: {
      refused: (reason, options) =>
        failed(`its constructor refused the config: ${reason}`, options),
      incomplete: () => failed("it has no method chat"),
    },
  });
}
