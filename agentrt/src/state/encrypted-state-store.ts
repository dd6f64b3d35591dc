import { randomBytes } from "node:crypto";
import type { FencedStates, JsonObject, StateOutage, StateStore } from "../core/index.ts";
import {
  isEncryptedState,
  nonceSizeBytes,
  openState,
  readSealedState,
  sealState,
} from "./encrypted-value.ts";
import { stateErrors } from "./errors.ts";
import { MemoryStateStore } from "./memory-state-store.ts";
import type { StateKeyRing } from "./state-keys.ts";

/** What an encrypted store is made from. */
export interface EncryptedStateStoreOptions {
  /** Where the encrypted states are kept; closed together with the wrapper. */
  readonly store: StateStore;
  /** From `readStateKeys`. */
  readonly keys: StateKeyRing;
  /** Takes states that were saved before encryption began; each is encrypted when it is saved next. Default false. */
  readonly isPlaintextReadAllowed?: boolean | undefined;
  /** Called once when encryption protects nothing. */
  readonly warn?: ((message: string) => void) | undefined;
}

/**
 * Encrypts states on their way into another store: ChaCha20-Poly1305, a fresh nonce each time, bound to the agent's
 * name. Names stay readable. A state is written with the current key and read with the one that wrote it.
 */
export class EncryptedStateStore implements StateStore {
  readonly #store: StateStore;
  readonly #keys: StateKeyRing;
  readonly #isPlaintextReadAllowed: boolean;

  constructor(options: EncryptedStateStoreOptions) {
    this.#store = options.store;
    this.#keys = options.keys;
    this.#isPlaintextReadAllowed = options.isPlaintextReadAllowed === true;
    if (options.store instanceof MemoryStateStore)
      options.warn?.(
        "the encrypted state store keeps its states in memory: they are gone when this process ends",
      );
  }

  /** @throws AGENTRT_STATE_DECRYPTION_FAILED, AGENTRT_STATE_PLAINTEXT_FOUND; whatever the wrapped store throws. */
  async get(agent: string): Promise<JsonObject | undefined> {
    return this.#unsealed(agent, await this.#store.get(agent));
  }

  #unsealed(agent: string, saved: JsonObject | null | undefined): JsonObject | undefined {
    if (saved === undefined || saved === null) return undefined;
    if (isEncryptedState(saved)) return this.#open(agent, saved);
    if (this.#isPlaintextReadAllowed) return saved;
    throw new stateErrors.PLAINTEXT_FOUND({ agent });
  }

  async set(agent: string, state: JsonObject): Promise<void> {
    await this.#store.set(agent, this.#sealed(agent, state));
  }

  #sealed(agent: string, state: JsonObject): JsonObject {
    const { currentId: keyId, keys } = this.#keys;
    const key = keys.get(keyId);
    if (key === undefined)
      throw new stateErrors.KEY_RING_INVALID({
        reason: `it has no key of the current id ${keyId}`,
      });
    const nonce = randomBytes(nonceSizeBytes);
    return sealState(state, { agent, keyId, key, nonce });
  }

  /** What the wrapped store can do, with encrypted states. */
  get fenced(): FencedStates | undefined {
    const { fenced } = this.#store;
    if (fenced === undefined) return undefined;
    return {
      raise: async (names) => await fenced.raise(names),
      get: async (agent, fence) => this.#unsealed(agent, await fenced.get(agent, fence)),
      set: async (agent, state, fence) => {
        await fenced.set(agent, this.#sealed(agent, state), fence);
      },
      delete: async (agent, fence) => await fenced.delete(agent, fence),
    };
  }

  async delete(agent: string): Promise<void> {
    await this.#store.delete(agent);
  }

  async listAgents(): Promise<string[]> {
    return await this.#store.listAgents();
  }

  outage(): StateOutage | undefined {
    return this.#store.outage?.();
  }

  async close(): Promise<void> {
    await this.#store.close();
  }

  #open(agent: string, saved: JsonObject): JsonObject {
    const refuse = (reason: string, keyId?: number): never => {
      throw new stateErrors.DECRYPTION_FAILED({ agent, keyId, reason });
    };
    const sealed = readSealedState(saved);
    if (typeof sealed === "string") return refuse(sealed);
    const key = this.#keys.keys.get(sealed.keyId);
    if (key === undefined) return refuse("the ring has no such key", sealed.keyId);
    return (
      openState(sealed, { agent, key }) ??
      refuse("the key is another one, or the state was altered", sealed.keyId)
    );
  }
}
