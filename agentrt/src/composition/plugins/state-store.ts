import { type JsonObject, reasonOf, type StateStore, TableError } from "../../core/index.ts";
import {
  EncryptedStateStore,
  MemoryStateStore,
  PostgresStateStore,
  readStateKeys,
  SqliteStateStore,
} from "../../state/index.ts";
import { pluginErrors } from "../../plugins/index.ts";
import type { Topology } from "../../topology/index.ts";
import { compositionErrors } from "../errors.ts";
import {
  encryptedStateKind,
  postgresStateKind,
  sqliteStateKind,
  stateStoreKinds,
} from "../../node-kinds/plugins/state-stores.ts";

/** What opening a store needs of the world. */
export interface OpenStateStoreOptions {
  /** Loads the class that a type names when it is not built in. */
  readonly loadClass: (type: string) => Promise<unknown>;
  /** Told of settings that do less than they seem to. */
  readonly warn: (message: string) => void;
}

interface Opening extends OpenStateStoreOptions {
  /** The plugin's place in the file. */
  readonly at: string;
}

/** A store as the file names it. */
interface StoreEntry {
  readonly type: string;
  readonly config: JsonObject;
}

/** What every store answers to; the names are those of `StateStore`. */
const methods = [
  "get",
  "set",
  "delete",
  "listAgents",
  "close",
] as const satisfies readonly (keyof StateStore)[];

/**
 * Opens the state store that a topology names; the in-memory store where it names none.
 *
 * @param topology Its `plugins.state`, whose settings were checked when the file was read.
 * @param options How to load user classes, and where warnings go.
 * @returns The store; the runtime closes it.
 * @throws AGENTRT_COMPOSITION_*, AGENTRT_PLUGIN_* and AGENTRT_STATE_*.
 */
export async function openStateStore(
  topology: Topology,
  options: OpenStateStoreOptions,
): Promise<StateStore> {
  const entry = topology.plugins.state;
  if (entry === undefined) return new MemoryStateStore();
  const at = `${topology.fileName}:${entry.line1}:${entry.column1}`;
  return await openStore(entry, { ...options, at });
}

async function openStore(entry: StoreEntry, opening: Opening): Promise<StateStore> {
  const isBuiltIn = stateStoreKinds.some((kind) => kind.name === entry.type);
  const loaded = await loadUnlessBuiltIn(entry.type, { ...opening, isBuiltIn });
  if (loaded === undefined) return await openBuiltIn(entry, opening);
  if (isBuiltIn)
    opening.warn(
      `the state store "${entry.type}" is that of an installed package, not the built-in one`,
    );
  return makeUserStore(loaded, entry, opening);
}

async function openBuiltIn(entry: StoreEntry, opening: Opening): Promise<StateStore> {
  switch (entry.type) {
    case sqliteStateKind.name:
      return new SqliteStateStore(sqliteStateKind.settings.parse(entry.config));
    case postgresStateKind.name:
      return new PostgresStateStore(postgresStateKind.settings.parse(entry.config));
    case encryptedStateKind.name: {
      const { store, isPlaintextReadAllowed, ...keyOptions } = encryptedStateKind.settings.parse(
        entry.config,
      );
      // Keys first: without them nothing was opened that would have to be closed.
      const keys = readStateKeys(keyOptions);
      const { warn } = opening;
      const wrapped = await openStore(store, opening);
      return new EncryptedStateStore({ store: wrapped, keys, isPlaintextReadAllowed, warn });
    }
    default:
      return new MemoryStateStore();
  }
}

/** An installed package goes first, so a short name that is built in is looked up there too. */
async function loadUnlessBuiltIn(
  type: string,
  { at, loadClass, isBuiltIn }: Opening & { readonly isBuiltIn: boolean },
): Promise<unknown> {
  try {
    return await loadClass(type);
  } catch (cause) {
    if (cause instanceof pluginErrors.UNKNOWN_NAME && isBuiltIn) return undefined;
    if (!(cause instanceof TableError)) throw cause;
    throw new compositionErrors.CLASS_NOT_LOADED({ at, reason: cause.message }, { cause });
  }
}

function makeUserStore(loaded: unknown, { type, config }: StoreEntry, { at }: Opening): StateStore {
  let store: object;
  try {
    store = new (loaded as new (config: JsonObject) => object)(config);
  } catch (cause) {
    throw new compositionErrors.STATE_STORE_FAILED(
      { at, type, reason: reasonOf(cause) },
      { cause },
    );
  }
  const missing = methods.filter((name) => typeof Reflect.get(store, name) !== "function");
  if (missing.length > 0)
    throw new compositionErrors.NOT_A_STATE_STORE({
      at,
      type,
      missing: `method ${missing.join(", ")}`,
    });
  return store as StateStore;
}
