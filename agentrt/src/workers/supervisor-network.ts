import type { Kernel } from "../core/index.ts";
import type { Network, NetworkedRuntime } from "../runtime/index.ts";
import { type ConnectionOptions, connectionOf } from "./connect.ts";
import { Workers } from "./workers.ts";

/** Connects the process that has the tree with its workers: agents with a process name are theirs. */
export function supervisorNetwork(
  options: ConnectionOptions,
): (kernel: Kernel, runtime: NetworkedRuntime) => Network {
  return (kernel, runtime) => {
    const connection = connectionOf(kernel, runtime, options);
    const { exchange, channel } = connection;
    const { log, topologyHash, files, sharedGroups, openGroupStates } = options;
    const { nameAgents, processId } = connection;
    const workers = new Workers({
      kernel,
      exchange,
      channel,
      log,
      topologyHash,
      files,
      sharedGroups,
      openGroupStates,
      nameAgents,
      processId,
      runtime,
      isReached: async (name) => await connection.isReached(name),
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
      driverOf: (spec, below) => workers.driverOf(spec, below),
      spreadOf: (spec, below) => workers.spreadOf(spec, below),
      spawnedOf: (child, below) => workers.spawnedOf(child, below),
      elsewhere: workers.elsewhere,
      trees: workers.trees,
      answerReads: (answer) => workers.answerReads(answer),
      open: async () => {
        await connection.open();
        await workers.start();
      },
      begin: async () => {},
      leave: () => exchange.leave(),
      close: async (untilMs) => {
        workers.stop();
        try {
          await connection.close();
        } finally {
          await workers.close(untilMs);
        }
      },
    };
  };
}
