import type { JsonObject, StateStore } from "../../core/index.ts";
import {
  encryptedStateKind,
  natsKvStateKind,
  postgresStateKind,
  sqliteStateKind,
  stateStoreKinds,
  compositionErrors,
} from "../../node-kinds/index.ts";
import {
  EncryptedStateStore,
  MemoryStateStore,
  NatsKvStateStore,
  PostgresStateStore,
  readStateKeys,
  SqliteStateStore,
} from "../../state/index.ts";
import { placeInFile, type Topology } from "../../topology/index.ts";
import type { NatsSettings } from "../../nats/index.ts";
import { natsSettingsOf } from "../nats-settings.ts";
import { loadPlugin, makePlugin, type PluginEntry } from "./load-plugin.ts";

/** What opening a store needs of the world. */
export interface OpenStateStoreOptions {
  /** Loads the class that a type names when it is not built in. */
  readonly loadClass: (type: string) => Promise<unknown>;
  /** True where other processes write the same states, too. Default false. */
  readonly isShared?: boolean | undefined;
  /** Called for each setting that does less than it seems to, and for what is waited for. */
  readonly warn: (message: string) => void;
  /** NATS servers in place of the file's. */
  readonly natsServers?: readonly string[] | undefined;
}

interface Opening extends OpenStateStoreOptions {
  /** The plugin's place in the file. */
  readonly at: string;
  /** How NATS is connected to. */
  readonly nats: (servers: readonly string[] | undefined) => NatsSettings;
  /** On how many servers of a NATS cluster a bucket is kept where the store does not say it. */
  readonly replicaCount: number;
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
  const at = placeInFile(topology.fileName, entry);
  const { natsServers } = options;
  const nats = (servers = natsServers): NatsSettings => natsSettingsOf(topology, servers);
  const { replicaCount } = topology.transport;
  return await openStore(entry, { ...options, at, nats, replicaCount });
}

async function openStore(entry: StoreEntry, opening: Opening): Promise<StateStore> {
  const isBuiltIn = stateStoreKinds.some((kind) => kind.name === entry.type);
  const { at, loadClass } = opening;
  const loaded = await loadPlugin({ ...entry, at }, { loadClass, isBuiltIn });
  if (loaded === undefined) return await openBuiltIn(entry, opening);
  if (isBuiltIn)
    opening.warn(
      `the state store "${entry.type}" is that of an installed package, not the built-in one`,
    );
  return makeUserStore(loaded, { ...entry, at });
}

async function openBuiltIn(entry: StoreEntry, opening: Opening): Promise<StateStore> {
  switch (entry.type) {
    case sqliteStateKind.name:
      return new SqliteStateStore({
        ...sqliteStateKind.settings.parse(entry.config),
        isShared: opening.isShared,
      });
    case postgresStateKind.name:
      return await opened(
        new PostgresStateStore({
          ...postgresStateKind.settings.parse(entry.config),
          isShared: opening.isShared,
        }),
      );
    case natsKvStateKind.name: {
      const given = natsKvStateKind.settings.parse(entry.config);
      const { servers, replicaCount = opening.replicaCount, ...settings } = given;
      const { warn, nats } = opening;
      const options = { ...nats(servers), ...settings, replicaCount, warn };
      return await opened(new NatsKvStateStore(options));
    }
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

/** Connects at once: what cannot be used is refused before anything runs. */
async function opened(store: PostgresStateStore | NatsKvStateStore): Promise<StateStore> {
  try {
    await store.open();
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

function makeUserStore(loaded: unknown, { type, config, at }: PluginEntry): StateStore {
  return makePlugin<StateStore>(loaded, config, {
    methods,
    faults: {
      refused: (reason, options) =>
        new compositionErrors.STATE_STORE_FAILED({ at, type, reason }, options),
      incomplete: (missing) =>
        new compositionErrors.NOT_A_STATE_STORE({
          at,
          type,
          missing: `method ${missing.join(", ")}`,
        }),
    },
  });
}
