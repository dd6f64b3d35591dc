import { supervisionErrors } from "./errors.ts";
import type { JsonObject } from "./json.ts";
import type { Message } from "./message.ts";

/** Where messages for one name are put. */
export interface Address {
  /** Most messages that wait there. */
  readonly mailboxLengthMax: number;
  /**
   * Takes a message.
   *
   * @param message The message.
   * @param deadlineMs Monotonic time until which a sender may wait for room; undefined for a call, which has its own deadline.
   * @returns Undefined when it was queued at once, else a promise that settles when there was room.
   * @throws AGENTRT_AGENT_STOPPED when the agent takes no more messages.
   */
  accept(message: Message, deadlineMs: number | undefined): Promise<void> | undefined;
}

/** One registered name. It stays the same over restarts. */
export interface Registration {
  readonly name: string;
  readonly kind: "agent" | "supervisor";
  readonly capabilities: readonly string[];
  readonly capabilityMetadata: JsonObject;
  /** Undefined for a name that takes no messages. */
  readonly address: Address | undefined;
}

/** Who runs here, by name. */
export class Registry {
  readonly #entries = new Map<string, Registration>();

  /**
   * Adds a name.
   *
   * @throws AGENTRT_SUPERVISION_DUPLICATE_NAME when it is taken.
   */
  register(registration: Registration): void {
    if (this.#entries.has(registration.name)) {
      throw new supervisionErrors.DUPLICATE_NAME({ name: registration.name });
    }
    this.#entries.set(registration.name, registration);
  }

  /** Removes a name; one that is not there is ignored. */
  deregister(name: string): void {
    this.#entries.delete(name);
  }

  /** @returns The registration of a name, or undefined. */
  get(name: string): Registration | undefined {
    return this.#entries.get(name);
  }

  /** @returns The registrations that declare a capability, in order of registration. */
  withCapability(tag: string): Registration[] {
    return [...this.#entries.values()].filter((entry) => entry.capabilities.includes(tag));
  }

  /** @returns All registrations, in order of registration. */
  list(): Registration[] {
    return [...this.#entries.values()];
  }
}
