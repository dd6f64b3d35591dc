import type { Kernel, SupervisorNode, TreeNode } from "../core/index.ts";
import { linkErrors, RemoteAddress, unknownFacts } from "../links/index.ts";
import type { Network, NetworkedRuntime } from "../runtime/index.ts";
import { type ConnectionOptions, connectionOf } from "./connect.ts";
import { hostLocalNames } from "./local-names.ts";
import { WorkerHost } from "./worker-host.ts";

/** An agent of another process. */
export interface AgentElsewhere {
  readonly name: string;
  /** True when messages to `name/key` are for it, too. */
  readonly takesKeys: boolean;
}

/** What a worker is connected by. */
export interface WorkerOptions extends ConnectionOptions {
  /** Name of its process group. */
  readonly process: string;
  /** The agents of the topology that are elsewhere. */
  readonly others: readonly AgentElsewhere[];
  /** Called when the supervisor will never take it. */
  readonly onRefused: (error: Error) => void;
}

/** Connects a worker with its supervisor, and with the agents of all other processes. */
export function workerNetwork(
  options: WorkerOptions,
): (kernel: Kernel, runtime: NetworkedRuntime) => Network {
  return (kernel, runtime) => {
    const { exchange, channel, processId } = connectionOf(kernel, options);
    const { log, process, topologyHash, onRefused, link } = options;
    const host = new WorkerHost({
      kernel,
      channel,
      log,
      process,
      processId,
      topologyHash,
      onRefused,
      runtime: {
        agents: () => agentsOf(runtime.tree()),
        restart: async (name, by) => await runtime.restart(name, by),
        stopAgent: async (name) => await runtime.stopAgent(name),
        onEvent: (callback) => runtime.onEvent(callback),
      },
    });
    let endNames: (() => void) | undefined;
    return {
      transport: options.link.name,
      driverOf: () => undefined,
      open: async () => {
        for (const { name, takesKeys } of options.others)
          kernel.registry.register({
            name,
            kind: "agent",
            capabilities: [],
            capabilityMetadata: {},
            takesKeys,
            address: new RemoteAddress(unknownFacts(), (message) =>
              exchange.send(message, { topic: name }),
            ),
          });
        await exchange.start();
        await channel.start();
        endNames = await hostLocalNames(kernel.registry, exchange, (name, error) =>
          log.error("other processes cannot reach an agent", { agent: name, error }),
        );
      },
      begin: async () => await host.start(),
      leave: () => host.stop(),
      close: async () => {
        endNames?.();
        channel.stop(new linkErrors.DOWN({ link: link.name, address: "the supervisor" }));
        await exchange.stop();
      },
    };
  };
}

function agentsOf(node: TreeNode | SupervisorNode): ReturnType<HostAgents> {
  if (node.kind === "supervisor") return node.children.flatMap(agentsOf);
  const { name, status, mailboxDepth } = node;
  return [{ name, status, mailboxDepth, isRefusing: false }];
}

type HostAgents = () => {
  readonly name: string;
  readonly status: SupervisorNode["status"];
  readonly mailboxDepth: number;
  readonly isRefusing: boolean;
}[];
