import { type JsonObject, placeOfError, reasonOf } from "../../core/index.ts";
import { loadAt, type LoadClass } from "../../node-kinds/index.ts";
import { pluginErrors } from "../../plugins/index.ts";

/** An entry under `plugins` of a topology, or what stands for one. */
export interface PluginEntry {
  readonly type: string;
  readonly config: JsonObject;
  /** Where it is in the file, as `file:line:column`. */
  readonly at: string;
}

/**
 * Loads the class that an entry names. An installed package goes first, so a short name that is built in is looked up
 * there too.
 *
 * @param entry The entry.
 * @param options How to load it, and whether this package has a plugin of that name.
 * @returns The class; `undefined` when the built-in plugin is meant.
 * @throws AGENTRT_COMPOSITION_CLASS_NOT_LOADED with the position of the entry.
 */
export async function loadPlugin(
  { type, at }: PluginEntry,
  { loadClass, isBuiltIn }: { readonly loadClass: LoadClass; readonly isBuiltIn: boolean },
): Promise<unknown> {
  return await loadAt(at, async () => {
    try {
      return await loadClass(type);
    } catch (cause) {
      if (cause instanceof pluginErrors.UNKNOWN_NAME && isBuiltIn) return undefined;
      throw cause;
    }
  });
}

/** What keeps a user's plugin from being used. */
export interface PluginFaults {
  /** Makes the error of a constructor that throws. */
  readonly refused: (reason: string, options: ErrorOptions) => Error;
  /** Makes the error of an object that lacks methods. */
  readonly incomplete: (missing: readonly string[]) => Error;
}

/**
 * Makes an object of a user's plugin class.
 *
 * @param loaded The class.
 * @param config What its constructor gets.
 * @param wanted The methods it must have, and the errors when it cannot be used.
 * @returns The object; it has all of the methods.
 */
export function makePlugin<Plugin extends object>(
  loaded: unknown,
  config: JsonObject,
  {
    methods,
    faults,
  }: { readonly methods: readonly (keyof Plugin)[]; readonly faults: PluginFaults },
): Plugin {
  let plugin: Plugin;
  try {
    plugin = new (loaded as new (config: JsonObject) => Plugin)(config);
  } catch (cause) {
    const place = cause instanceof Error ? placeOfError(cause) : undefined;
    const at = place === undefined ? "" : `, at ${place}`;
    throw faults.refused(`${reasonOf(cause)}${at}`, { cause });
  }
  const missing = methods.filter((name) => typeof Reflect.get(plugin, name) !== "function");
  if (missing.length > 0) throw faults.incomplete(missing.map(String));
  return plugin;
}
