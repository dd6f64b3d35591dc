import type { Kernel, TreeNode } from "../core/index.ts";
import { WorkerBudgets } from "./budgets/index.ts";
import { NameHost, WorkerChildren } from "./children/index.ts";
import type { AgentElsewhere, HandOver, Network, NetworkedRuntime } from "../runtime/index.ts";
import { type ConnectionOptions, connectionOf } from "./connect.ts";
import { workerErrors } from "./errors.ts";
import { type FencedStateStore, SpreadHost } from "./spread/index.ts";
import { TreeHost } from "./tree-host.ts";
import { type HostedRuntime, WorkerHost } from "./worker-host.ts";

/** What a worker is connected by. */
export interface WorkerOptions extends ConnectionOptions {
  /** Name of its process group. */
  readonly process: string;
  /** The agents of the topology that are elsewhere. */
  readonly others: readonly AgentElsewhere[];
  /** Agents of this process below supervisors that have a budget. */
  readonly budgetedNames?: ReadonlySet<string> | undefined;
  /** True where other workers may be of the group: then each of its agents is at one of them. Default false. */
  readonly isShared?: boolean | undefined;
  /** Keeps the states of keys and agents; needed where a group that several workers join has any. */
  readonly store?: FencedStateStore | undefined;
  /** Called when the supervisor will never take it. */
  readonly onRefused: (error: Error) => void;
}

/** Connects a worker with its supervisor, and with the agents of all other processes. */
export function workerNetwork(
  options: WorkerOptions,
): (kernel: Kernel, runtime: NetworkedRuntime) => Network {
  return (kernel, runtime) => {
    const connection = connectionOf(kernel, runtime, options);
    const { exchange, channel, processId } = connection;
    const { log, process, topologyHash: hash, onRefused, others } = options;
    const { nameAgents } = connection;
    const { budgetedNames = new Set<string>() } = options;
    const self = { kernel, exchange, channel, log, process, processId };
    const trees = new TreeHost({ ...self, hash, others, budgetedNames, nameAgents });
    const hosted = hostedRuntime(runtime);
    const { store, isShared = false } = options;
    const spread = new SpreadHost({ ...self, store, isShared, runtime: hosted });
    const host = new WorkerHost({
      ...self,
      trees,
      spread,
      names: new NameHost(self),
      isReached: async (name) => await connection.isReached(name),
      onRefused,
      runtime: hosted,
    });
    return {
      transport: options.link.name,
      get linkDuplicateCount() {
        return exchange.duplicateCount;
      },
      get losses() {
        return options.link.losses;
      },
      get refused() {
        return options.link.refused;
      },
      group: process,
      children: childrenOf(self, runtime),
      budgetsAbove: new WorkerBudgets({
        ...self,
        system: kernel.system,
        countFor: (agent) => trees.isBudgeted(agent),
      }),
      driverOf: () => undefined,
      hostOf: (spec, below) => spread.hostOf(spec, below),
      unhost: (name) => spread.unhost(name),
      answer: (informant) => host.answer(informant),
      takeTrees: (taker) => trees.takeBy(taker),
      open: async () => {
        trees.open();
        await connection.open();
        await spread.open();
      },
      begin: async () => await host.start(),
      handOver: handOverOf(host, () =>
        exchange.leave((agent) => new workerErrors.AWAY({ agent, process })),
      ),
      leave: () => {
        exchange.leave();
        host.stop();
      },
      close: async () => {
        spread.close();
        await connection.close();
      },
    };
  };
}

/** What it has is finished, or goes to the others of its group; what is sent to it once its supervisor knows is refused. */
function handOverOf(host: WorkerHost, refuse: () => void): HandOver {
  return {
    begin: async () => {
      await host.leave();
      refuse();
    },
    get isDone() {
      return host.hasLeft;
    },
  };
}

/** Where agents of a worker spawn children. */
function childrenOf(
  worker: Pick<
    ConstructorParameters<typeof WorkerChildren>[0],
    "channel" | "process" | "processId"
  >,
  runtime: NetworkedRuntime,
): WorkerChildren {
  return new WorkerChildren({
    ...worker,
    typeOfClass: (agentClass) => runtime.typeOfClass(agentClass),
  });
}

/** What the parts of a worker need of the runtime. */
function hostedRuntime(runtime: NetworkedRuntime): HostedRuntime & Pick<NetworkedRuntime, "tree"> {
  return {
    tree: () => runtime.tree(),
    guests: runtime.guests,
    agents: () => agentsOf(runtime.tree(), runtime.guests.names),
    restart: async (name, by) => await runtime.restart(name, by),
    stopAgent: async (name) => await runtime.stopAgent(name),
    onEvent: (callback) => runtime.onEvent(callback),
    redactText: runtime.redactor.text,
  };
}

function agentsOf(
  node: TreeNode,
  guests: ReadonlySet<string>,
): ReturnType<HostedRuntime["agents"]> {
  if (node.kind === "supervisor") return node.children.flatMap((each) => agentsOf(each, guests));
  const { name, status, mailboxDepth } = node;
  return [{ name, status, mailboxDepth, isRefusing: false, isSpawned: guests.has(name) }];
}
