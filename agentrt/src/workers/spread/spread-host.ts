import {
  type Address,
  AgentCell,
  type AgentNode,
  type AgentSpec,
  type JsonObject,
  type Kernel,
  KeyedSupervisor,
  type Log,
  type PoolPolicy,
  PoolQueue,
  type RuntimeEvent,
  type Registration,
  type SupervisorSpec,
  type TreeNode,
} from "../../core/index.ts";
import type { ControlChannel, Exchange } from "../../links/index.ts";
import { controlTypes, supervisorTopic, textOf } from "../protocol.ts";
import { AgentPart } from "./agent-part.ts";
import type { FencedStateStore } from "./fenced-state-store.ts";
import { HiddenRegistry } from "./hidden-registry.ts";
import { KeyedPart } from "./keyed-part.ts";
import { Lease } from "./lease.ts";
import type { Part } from "./part.ts";
import { PartApprovals } from "./part-approvals.ts";
import { PoolPart } from "./pool-part.ts";
import { partitionOf, placeOf } from "./partitions.ts";
import { type HostedPart, partitionsOf, partTopic, spreadTypes } from "./spread-protocol.ts";

/** What a worker hosts its parts of nodes by. */
export interface SpreadHostInit {
  readonly kernel: Kernel;
  readonly exchange: Exchange;
  readonly channel: ControlChannel;
  readonly log: Log;
  /** Name of the process group. */
  readonly process: string;
  readonly processId: string;
  /** True where other workers may be of the group: then each of its agents is at one of them. */
  readonly isShared: boolean;
  /** Keeps the states of keys, and of agents that are at one of several workers. */
  readonly store: FencedStateStore | undefined;
  readonly runtime: {
    tree(): TreeNode;
    restart(name: string, options: { readonly initiatedBy: string }): Promise<void>;
    stopAgent(name: string): Promise<{ readonly lateNames: readonly string[] }>;
    /** Takes secrets out of texts. */
    readonly redactText: (text: string) => string;
  };
}

/** The parts of pools and keyed agents that this worker has; the supervisor's process says which. */
export class SpreadHost {
  readonly #init: SpreadHostInit;
  readonly #pools = new Map<string, PoolPart>();
  /** Keyed agents, and those that are at one of several workers. */
  readonly #parts = new Map<string, Part>();
  /** Those of them that are one agent each. */
  readonly #agents = new Map<string, AgentCell>();
  /** Pools that become larger and smaller. */
  readonly #scaling = new Set<string>();
  /** Ends the doors that are open, by name. */
  readonly #ends = new Map<string, Promise<() => void>>();
  #isOpen = false;
  readonly #lease: Lease;
  readonly #approvals: PartApprovals;

  constructor(init: SpreadHostInit) {
    this.#init = init;
    const { approvals, store: states } = init.kernel;
    this.#approvals = new PartApprovals(approvals, states);
    approvals.placeOf = (agent) => this.#placeOf(agent);
    this.#lease = new Lease(init.kernel.system, () => this.#giveAllUp("the supervisor is silent"));
    const { store } = init;
    if (store !== undefined)
      store.onFenced = (agent) => {
        this.#pools.get(agent)?.forget();
        void this.#giveUp(agent, "another process has taken keys over");
      };
  }

  /** {@inheritDoc Placement.hostOf} */
  hostOf(spec: AgentSpec | SupervisorSpec, kernel: Kernel): Kernel | undefined {
    const { process, isShared } = this.#init;
    const isAgent = spec.kind === "agent";
    if (isAgent && !isShared) return undefined;
    const placed = isAgent ? spec : (spec.pool ?? spec.keyed);
    if (placed?.processName !== process) return undefined;
    const take = (registration: Registration): void => {
      if (registration.name === spec.name) this.#add(spec, registration.address);
    };
    return { ...kernel, registry: new HiddenRegistry(kernel.registry, take) };
  }

  /** {@inheritDoc Placement.unhost} */
  unhost(name: string): (() => void) | undefined {
    const [pool, part, agent] = [
      this.#pools.get(name),
      this.#parts.get(name),
      this.#agents.get(name),
    ];
    const door = (pool ?? part)?.door;
    if (door === undefined) return undefined;
    (pool ?? part)?.forget();
    for (const map of [this.#pools, this.#parts, this.#agents]) map.delete(name);
    this.#closeDoor(name);
    return () => {
      if (pool !== undefined) this.#pools.set(name, pool);
      if (part !== undefined) this.#parts.set(name, part);
      if (agent !== undefined) this.#agents.set(name, agent);
      this.#openDoor(name, door);
    };
  }

  #openDoor(name: string, door: Address): void {
    if (!this.#isOpen) return;
    const { exchange, processId, log } = this.#init;
    const opened = exchange.hostAddress(partTopic(processId, name), door);
    opened.catch((error: unknown) => {
      log.error("other processes cannot reach a node", { agent: name, error });
    });
    this.#ends.set(name, opened);
  }

  #closeDoor(name: string): void {
    const opened = this.#ends.get(name);
    this.#ends.delete(name);
    opened?.then((end) => end()).catch(() => undefined);
  }

  #add(spec: AgentSpec | SupervisorSpec, address: Address | undefined): void {
    const { kernel, store, runtime } = this.#init;
    const { name } = spec;
    const shared = {
      system: kernel.system,
      store,
      approvals: this.#approvals,
      isLeased: () => this.#lease.isHeld,
    };
    if (spec.kind === "supervisor" && isScaling(spec.pool)) this.#scaling.add(name);
    if (address instanceof AgentCell) {
      store?.addSingle(name);
      this.#agents.set(name, address);
      this.#parts.set(
        name,
        new AgentPart({
          ...shared,
          cell: address,
          start: async () => await this.#start(name),
          stop: async () => await this.#init.runtime.stopAgent(name),
        }),
      );
    } else if (address instanceof PoolQueue) {
      store?.addPool(name);
      this.#pools.set(
        name,
        new PoolPart({
          door: address,
          store,
          approvals: this.#approvals,
          redactText: runtime.redactText,
        }),
      );
    } else if (address instanceof KeyedSupervisor) {
      store?.addKeyed(name);
      this.#parts.set(name, new KeyedPart({ ...shared, keyed: address }));
    }
    const door = (this.#pools.get(name) ?? this.#parts.get(name))?.door;
    if (door !== undefined) this.#openDoor(name, door);
  }

  /** @returns True for the name of a node, or of a part of one, that others reach by the supervisor's process. */
  has(name: string): boolean {
    return this.#pools.has(name) || this.#parts.has(name);
  }

  #placeOf(agent: string): string | undefined {
    if (this.#agents.has(agent)) return placeOf(agent, 0);
    const cut = agent.indexOf("/");
    const node = agent.slice(0, Math.max(0, cut));
    const rest = agent.slice(cut + 1);
    if (this.#pools.get(node)?.isShared === true) return placeOf(node, Number(rest));
    if (!this.#parts.has(node)) return undefined;
    return placeOf(node, partitionOf(rest));
  }

  /** Takes messages for its parts from now on. */
  async open(): Promise<void> {
    this.#isOpen = true;
    for (const [name, { door }] of this.#pools) this.#openDoor(name, door);
    for (const [name, { door }] of this.#parts) this.#openDoor(name, door);
    await Promise.all(this.#ends.values());
  }

  /** True when no part of it has any partition. */
  get isEmpty(): boolean {
    for (const { partitions } of this.#parts.values()) if (partitions.length > 0) return false;
    return true;
  }

  /** Tells that nothing of it runs any more. */
  close(): void {
    this.#lease.stop();
    this.#isOpen = false;
    for (const name of this.#ends.keys()) this.#closeDoor(name);
    this.#tell(spreadTypes.gone, "");
  }

  /** @returns What it has, by node. */
  parts(): ReadonlyMap<string, HostedPart> {
    const parts = new Map<string, HostedPart>();
    const visit = (node: TreeNode): void => {
      if (node.kind === "agent") {
        if (this.has(node.name)) parts.set(node.name, this.#agentPart(node));
        return;
      }
      const { name, status, keyed, pool } = node;
      if (this.has(name)) {
        const depth = keyed?.mailboxDepth ?? pool?.mailboxDepth ?? 0;
        parts.set(name, {
          isUp: status !== "STOPPED" && status !== "CRASHED",
          ...this.#numbersOf(name),
          counts: {
            resident: keyed?.residentCount ?? node.children.length,
            waiting: keyed?.waitingCount ?? 0,
            failed: keyed?.failedCount ?? 0,
            busy: pool?.busyCount ?? 0,
            depth,
          },
        });
      } else node.children.forEach(visit);
    };
    visit(this.#init.runtime.tree());
    return parts;
  }

  /** It is there when the supervisor says so: until then it is not down. */
  #agentPart({ name, mailboxDepth: depth }: AgentNode): HostedPart {
    const numbers = this.#numbersOf(name);
    const resident = numbers.partitions.length;
    return { isUp: true, ...numbers, counts: { resident, waiting: 0, failed: 0, busy: 0, depth } };
  }

  #numbersOf(name: string): Pick<HostedPart, "partitions" | "closing"> {
    const { partitions = [], closing = [] } = this.#parts.get(name) ?? {};
    return { partitions, closing };
  }

  /** True for an event after which a node has more or fewer members here: the supervisor's process sends them messages by that. */
  isNews(event: RuntimeEvent): boolean {
    if (event.type !== "agent.started" && event.type !== "agent.stopped") return false;
    return this.#scaling.has(event.name.slice(0, Math.max(0, event.name.lastIndexOf("/"))));
  }

  /** An agent has ended by itself: it is not here any more. */
  noteEnd(name: string): void {
    if (this.#agents.has(name)) this.#parts.get(name)?.forget();
  }

  /** The supervisor has asked whether this worker is there. */
  probed({ number, heard }: JsonObject): void {
    if (typeof number === "number" && typeof heard === "number") this.#lease.probed(number, heard);
  }

  /**
   * Does what the supervisor says.
   *
   * @returns The answer; undefined for what is about something else.
   */
  async obey(type: string, payload: JsonObject): Promise<JsonObject | undefined> {
    const name = textOf(payload["name"]);
    const pool = this.#pools.get(name);
    const part = this.#parts.get(name);
    if (pool === undefined && part === undefined) return undefined;
    const partitions = partitionsOf(payload["partitions"]);
    if (type === controlTypes.start) await this.#start(name);
    else if (type === controlTypes.stop) return { late: [...(await this.#stop(name))] };
    else if (type === spreadTypes.place) return (await pool?.place(payload)) ?? {};
    else if (type === spreadTypes.take) await part?.take(partitions, textOf(payload["beginning"]));
    else if (type === spreadTypes.release) return await this.#release(part, partitions);
    else if (type === spreadTypes.keep) await part?.keep(partitions);
    else return undefined;
    return {};
  }

  async #release(part: Part | undefined, partitions: readonly number[]): Promise<JsonObject> {
    const { released = [], late = [] } = (await part?.release(partitions)) ?? {};
    return { released: [...released], late: [...late] };
  }

  async #start(name: string): Promise<void> {
    await this.#init.runtime.restart(name, { initiatedBy: "supervisor" });
  }

  async #stop(name: string): Promise<readonly string[]> {
    const part = this.#parts.get(name);
    part?.close();
    try {
      return (await this.#init.runtime.stopAgent(name)).lateNames;
    } finally {
      part?.forget();
    }
  }

  #giveAllUp(reason: string): void {
    for (const name of this.#parts.keys()) void this.#giveUp(name, reason);
  }

  /** Ends an agent, or all keys of a node, whatever they have: others may have them, or soon will. */
  async #giveUp(name: string, reason: string): Promise<void> {
    const part = this.#parts.get(name);
    const { log } = this.#init;
    if (part === undefined || part.partitions.length === 0) return;
    const isAgent = this.#agents.has(name);
    const what = isAgent ? "an agent is given up" : "the keys of a node are given up";
    log.error(what, { agent: name, reason });
    try {
      await this.#stop(name);
      if (!isAgent) await this.#start(name);
    } catch (error) {
      log.error("a node could not be started again", { agent: name, error });
    }
    this.#tell(spreadTypes.lost, name);
  }

  #tell(type: string, name: string): void {
    const { channel, process, processId } = this.#init;
    try {
      channel.tell(supervisorTopic, { type, payload: { process, process_id: processId, name } });
    } catch {
      // Where the link is down, the supervisor notices by itself.
    }
  }
}

function isScaling(pool: PoolPolicy | undefined): boolean {
  return pool !== undefined && pool.memberCountMin < pool.memberCountMax;
}
