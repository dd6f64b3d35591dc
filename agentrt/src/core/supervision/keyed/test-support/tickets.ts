/** A keyed agent under the virtual clock, for the tests of keyed agents. */
import assert from "node:assert/strict";
import {
  Agent,
  type AgentClass,
  type ChildSpec,
  type JsonObject,
  keyed,
  type KeyedCounts,
  type KeyedOptions,
  type Message,
  type StateStore,
  supervisor,
  type SupervisorNode,
} from "../../../index.ts";
import { MemoryStateStore } from "../../../../state/index.ts";
import { FaultyStateStore, Simulation } from "../../../../testing/index.ts";

/** Counts its messages, and does what they say. */
export class Ticket extends Agent {
  static trace: string[] = [];
  static clock: Simulation;

  override onStart(): void {
    Ticket.trace.push(`start ${this.key}`);
  }

  override async handle({ payload }: Message): Promise<JsonObject> {
    const { ms, crash, stop } = payload;
    if (typeof ms === "number") await Ticket.clock.sleep(ms);
    if (crash === true || stop === true) throw new Error("as told");
    this.state["count"] = Number(this.state["count"] ?? 0) + 1;
    Ticket.trace.push(`count ${this.key}`);
    return { count: this.state["count"] };
  }

  override onError(_error: unknown, { payload }: Message) {
    return payload["stop"] === true ? ("stop" as const) : ("escalate" as const);
  }

  override onPassivate(): void | Promise<void> {
    Ticket.trace.push(`passivate ${this.key}`);
  }
}

/** What a simulation of tickets takes besides the options of the keyed agent. */
export interface TicketOptions extends KeyedOptions {
  readonly agentClass?: AgentClass;
  readonly state?: StateStore | undefined;
  readonly graceMs?: number;
  /** Children of the root besides the tickets. */
  readonly others?: readonly ChildSpec[];
}

/** Starts a tree with the keyed agent `ticket`. */
export async function simulateTickets(options: TicketOptions = {}): Promise<Simulation> {
  Ticket.trace = [];
  const { agentClass = Ticket, state, graceMs = 0, others = [], ...given } = options;
  const node = keyed(agentClass, "ticket", { key: "id", backoffBaseMs: 100, ...given });
  const simulation = new Simulation({
    supervision: supervisor("root", { children: [...others, node] }),
    state,
    shutdown: { graceMs },
  });
  Ticket.clock = simulation;
  await simulation.start();
  return simulation;
}

/** @returns The keyed agent in the picture of the tree. */
export function ticketNode({ runtime }: Simulation): SupervisorNode & { keyed: KeyedCounts } {
  const node = runtime.tree().children.find(({ name }) => name === "ticket");
  assert.ok(node?.kind === "supervisor" && node.keyed !== undefined);
  return { ...node, keyed: node.keyed };
}

/** @returns The names of the keys that are there. */
export function keyNames({ runtime }: Simulation): string[] {
  return runtime.keys("ticket").map(({ name }) => name);
}

/** A store whose writes, or reads, fail while a fault is set. */
export class FickleStore extends FaultyStateStore {
  fault: Error | undefined = undefined;
  readFault: Error | undefined = undefined;
  readonly kept: MemoryStateStore;

  constructor() {
    const kept = new MemoryStateStore();
    super(kept, (operation) => {
      if (operation === "get") return this.readFault;
      return operation === "set" || operation === "delete" ? this.fault : undefined;
    });
    this.kept = kept;
  }
}
