import type { Kernel, TreeNode } from "../core/index.ts";
import { type Exchange, RemoteAddress, unknownFacts } from "../links/index.ts";
import type { Network, NetworkedRuntime } from "../runtime/index.ts";
import { type ConnectionOptions, connectionOf } from "./connect.ts";
import { type FencedStateStore, SpreadHost } from "./spread/index.ts";
import { type HostedRuntime, WorkerHost } from "./worker-host.ts";

/** An agent of another process. */
export interface AgentElsewhere {
  readonly name: string;
  /** True when messages to `name/key` are for it, too. */
  readonly takesKeys: boolean;
  /** True for one that judges what agents report; default false. */
  readonly isEvalAgent?: boolean;
}

/** What a worker is connected by. */
export interface WorkerOptions extends ConnectionOptions {
  /** Name of its process group. */
  readonly process: string;
  /** The agents of the topology that are elsewhere. */
  readonly others: readonly AgentElsewhere[];
  /** Keeps the states of keys; needed where the group has keyed agents. */
  readonly store?: FencedStateStore | undefined;
  /** Called when the supervisor will never take it. */
  readonly onRefused: (error: Error) => void;
}

/** Connects a worker with its supervisor, and with the agents of all other processes. */
export function workerNetwork(
  options: WorkerOptions,
): (kernel: Kernel, runtime: NetworkedRuntime) => Network {
  return (kernel, runtime) => {
    const connection = connectionOf(kernel, options);
    const { exchange, channel, processId } = connection;
    const { log, process, topologyHash, onRefused } = options;
    const spread = new SpreadHost({
      kernel,
      exchange,
      channel,
      log,
      process,
      processId,
      store: options.store,
      runtime: {
        tree: () => runtime.tree(),
        restart: async (name, by) => await runtime.restart(name, by),
        stopAgent: async (name) => await runtime.stopAgent(name),
      },
    });
    const host = new WorkerHost({
      kernel,
      channel,
      log,
      process,
      processId,
      topologyHash,
      spread,
      onRefused,
      runtime: {
        agents: () => agentsOf(runtime.tree()),
        restart: async (name, by) => await runtime.restart(name, by),
        stopAgent: async (name) => await runtime.stopAgent(name),
        onEvent: (callback) => runtime.onEvent(callback),
      },
    });
    return {
      transport: options.link.name,
      get linkDuplicateCount() {
        return options.link.stored?.duplicateCount;
      },
      get losses() {
        return options.link.losses;
      },
      get refused() {
        return options.link.refused;
      },
      group: process,
      driverOf: () => undefined,
      hostOf: (spec, below) => spread.hostOf(spec, below),
      answer: (informant) => host.answer(informant),
      open: async () => {
        for (const other of options.others) registerElsewhere(other, { kernel, exchange });
        await connection.open();
        await spread.open();
      },
      begin: async () => await host.start(),
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

/** What is sent to such an agent goes to the topic of its name. */
function registerElsewhere(
  { name, takesKeys, isEvalAgent = false }: AgentElsewhere,
  { kernel, exchange }: { readonly kernel: Kernel; readonly exchange: Exchange },
): void {
  kernel.registry.register({
    name,
    kind: "agent",
    capabilities: [],
    capabilityMetadata: {},
    takesKeys,
    isEvalAgent,
    address: new RemoteAddress(unknownFacts(), (message, deadlineMs) =>
      exchange.send(message, { topic: name }, deadlineMs),
    ),
  });
}

function agentsOf(node: TreeNode): ReturnType<HostedRuntime["agents"]> {
  if (node.kind === "supervisor") return node.children.flatMap(agentsOf);
  const { name, status, mailboxDepth } = node;
  return [{ name, status, mailboxDepth, isRefusing: false }];
}
