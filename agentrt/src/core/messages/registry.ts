import { busErrors, supervisionErrors } from "../errors.ts";
import { matchesGlob, type JsonObject } from "../values/index.ts";
import type { Downs } from "./downs.ts";
import type { Message } from "./message.ts";
import type { MessageSchemas } from "./message-schemas.ts";

/** The receiver of messages for one name. */
export interface Address {
  /**
   * Takes a control message, which does not wait behind others.
   *
   * @returns False when it is not taken.
   */
  control(message: Message): boolean;
  /** Most messages that are handled at once. */
  readonly concurrency: number;
  /** The pool that it handles messages of; undefined for all but members of pools. */
  readonly pool?: Address | undefined;
  /** Most messages that wait there. */
  readonly mailboxLengthMax: number;
  /** Messages that wait there now. */
  readonly mailboxDepth: number;
  /** True while it serves nothing but messages with a priority above 0. */
  readonly isSuspended: boolean;
  /** True while it is drained: it takes no new messages until somebody resumes it. Default false. */
  readonly isRefusing?: boolean;
  /** True while the process that it is in is not there, or stops. Default false. */
  readonly isAway?: boolean;
  /** @returns Which of several objects behind the name handles a message; undefined when it is not there yet. */
  targetOf?(message: Pick<Message, "recipient" | "payload">): Address | undefined;
  /**
   * @returns The line that a message waits in, of many behind the name: each is handled in its order, whatever the others do. Undefined
   *   where all are one line. @throws For a message of none.
   */
  lineOf?(message: Pick<Message, "recipient" | "payload">): string | undefined;
  /** False when it takes no more messages: stopped for good, or given up. */
  readonly isAccepting: boolean;
  /**
   * Takes a message.
   *
   * @param message The message.
   * @param deadlineMs Monotonic time until which a sender may wait for room; undefined for a call: it has its own.
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
  /** True when messages to `name/key` come to it, too. */
  readonly takesKeys?: boolean;
  /** True for an agent that judges what others report. */
  readonly isEvalAgent?: boolean | undefined;
  /** Undefined for a name that takes no messages. */
  readonly address: Address | undefined;
  /** Who wants to know when it goes down. */
  readonly downs?: Downs | undefined;
  /** What it takes, where its class says that. */
  readonly schemas?: MessageSchemas | undefined;
  /** The same for `name/key`, where it takes keys. It throws what is wrong with the key. */
  readonly downsOf?: ((name: string) => Downs) | undefined;
  /** How a supervisor answers to `agentrt.supervision.status`. */
  readonly supervisionStatus?: (() => JsonObject) | undefined;
  /** Tells an agent that a child that it has spawned is gone for good, and why. */
  readonly childGone?: ((child: string, reason: string) => void) | undefined;
  /** Of a dynamic supervisor: the process group that its children run in; undefined for this process. */
  readonly childProcess?: string | undefined;
}

/** Name of the agent to which others report that name none. */
const defaultEvalAgent = "eval_agent";

/** What happened to a name. */
export type RegistryChange = "registered" | "deregistered";

/** Called for each name that is added or removed. It must not throw. */
export type RegistryListener = (change: RegistryChange, registration: Registration) => void;

/** The agents and supervisors of a runtime, by name and by capability. */
export class Registry {
  readonly #entries = new Map<string, Registration>();
  readonly #byCapability = new Map<string, Map<string, Registration>>();
  readonly #listeners = new Set<RegistryListener>();
  readonly #evalAgents = new Set<Registration>();
  /** Clients that are connected: addresses, and nothing else of what a name of the tree is. */
  readonly #sessions = new Map<string, Registration>();

  /**
   * Adds a name.
   *
   * @throws AGENTRT_SUPERVISION_DUPLICATE_NAME when it is taken.
   */
  register(registration: Registration): void {
    const { name } = registration;
    if (this.#entries.has(name)) throw new supervisionErrors.DUPLICATE_NAME({ name });
    this.#entries.set(name, registration);
    this.#index(registration);
    for (const listener of this.#listeners) listener("registered", registration);
  }

  /** Removes a name; one that is not there is ignored. */
  deregister(name: string): void {
    const registration = this.#entries.get(name);
    if (registration === undefined) return;
    this.#entries.delete(name);
    this.#unindex(registration);
    for (const listener of this.#listeners) listener("deregistered", registration);
  }

  /**
   * Lets what a name is found by change: its capabilities, and whether it judges.
   *
   * @param registration One that is registered; of any other one only `change` is called.
   * @param change Changes it.
   */
  renew(registration: Registration, change: () => void): void {
    const isRegistered = this.#entries.get(registration.name) === registration;
    if (isRegistered) this.#unindex(registration);
    change();
    if (isRegistered) this.#index(registration);
  }

  #index(registration: Registration): void {
    if (registration.isEvalAgent === true) this.#evalAgents.add(registration);
    for (const tag of registration.capabilities) {
      let holders = this.#byCapability.get(tag);
      if (holders === undefined) this.#byCapability.set(tag, (holders = new Map()));
      holders.set(registration.name, registration);
    }
  }

  #unindex(registration: Registration): void {
    this.#evalAgents.delete(registration);
    for (const tag of registration.capabilities) {
      const holders = this.#byCapability.get(tag);
      holders?.delete(registration.name);
      if (holders?.size === 0) this.#byCapability.delete(tag);
    }
  }

  /** @returns The registration of a name, that of `ticket` for `ticket/4711` if it takes keys, or undefined. */
  get(name: string): Registration | undefined {
    return this.#entries.get(name) ?? this.#sessions.get(name) ?? this.#holderOf(name);
  }

  /** Who judges what agents report without a name: the agent `eval_agent`, else the only eval agent that there is. */
  get evalAgent(): Registration | undefined {
    const [only, another] = this.#evalAgents;
    return this.get(defaultEvalAgent) ?? (another === undefined ? only : undefined);
  }

  /** Makes a client's connection an address. It is not listed, matches no pattern, and no listener hears of it. */
  openSession(registration: Registration): void {
    this.#sessions.set(registration.name, registration);
  }

  /** Takes it out again. */
  closeSession(name: string): void {
    this.#sessions.delete(name);
  }

  /** @returns True for the connection of a client. */
  isSession(name: string): boolean {
    return this.#sessions.has(name);
  }

  #holderOf(name: string): Registration | undefined {
    for (let at = name.indexOf("/"); at > 0; at = name.indexOf("/", at + 1)) {
      const holder = this.#entries.get(name.slice(0, at));
      if (holder?.takesKeys === true) return holder;
    }
    return undefined;
  }

  /** @returns The registrations that declare a capability, in order of registration. */
  withCapability(tag: string): Registration[] {
    return [...(this.#byCapability.get(tag)?.values() ?? [])];
  }

  /**
   * Chooses one that declares a capability and takes messages; one whose process is away only where there is no other.
   *
   * @param tag The capability.
   * @param options.random From 0 to below 1: which one of several.
   * @param options.isFit Those for which it is true go before others. Default all.
   * @throws AGENTRT_BUS_NO_CAPABLE.
   */
  chooseCapable(
    tag: string,
    options: {
      readonly random: number;
      readonly isFit?: (address: Address) => boolean;
    },
  ): string {
    const { random, isFit = () => true } = options;
    const holders = this.withCapability(tag);
    const accepting = holders.filter(
      ({ address }) => address?.isAccepting === true && address.isRefusing !== true,
    );
    const there = accepting.filter(({ address }) => address?.isAway !== true);
    const reached = there.length > 0 ? there : accepting;
    const fit = reached.filter(({ address }) => address !== undefined && isFit(address));
    const choice = fit.length > 0 ? fit : reached;
    const chosen = choice[Math.floor(random * choice.length)];
    if (chosen === undefined) throw new busErrors.NO_CAPABLE({ tag, holderCount: holders.length });
    return chosen.name;
  }

  /**
   * Finds names by pattern, as `broadcast` does: names that begin with an underscore match only a pattern that does, and
   * members of pools match none.
   *
   * @param pattern See `matchesGlob`.
   * @returns The registrations, in order of registration.
   */
  matching(pattern: string): Registration[] {
    const isHiddenWanted = pattern.startsWith("_");
    return [...this.#entries.values()].filter(
      ({ name, address }) =>
        (isHiddenWanted || !name.startsWith("_")) &&
        address?.pool === undefined &&
        matchesGlob(pattern, name),
    );
  }

  /** @returns All registrations, in order of registration. */
  list(): Registration[] {
    return [...this.#entries.values()];
  }

  /**
   * Watches names come and go, dynamic children included.
   *
   * @returns Ends the watch.
   */
  onChange(listener: RegistryListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
