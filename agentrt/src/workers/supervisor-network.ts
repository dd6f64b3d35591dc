import type { Kernel } from "../core/index.ts";
import type { Network } from "../runtime/index.ts";
import { type ConnectionOptions, connectionOf } from "./connect.ts";
import { Workers } from "./workers.ts";

/** Connects the process that has the tree with its workers: agents with a process name are theirs. */
export function supervisorNetwork(options: ConnectionOptions): (kernel: Kernel) => Network {
  return (kernel) => {
    const connection = connectionOf(kernel, options);
    const { exchange, channel } = connection;
    const { log, topologyHash, files } = options;
    const { nameAgents } = connection;
    const workers = new Workers({
      kernel,
      exchange,
      channel,
      log,
      topologyHash,
      files,
      nameAgents,
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
      driverOf: (spec, below) => workers.driverOf(spec, below),
      spreadOf: (spec, below) => workers.spreadOf(spec, below),
      elsewhere: workers.elsewhere,
      trees: workers.trees,
      answerReads: (answer) => workers.answerReads(answer),
      open: async () => {
        await connection.open();
        await workers.start();
      },
      begin: async () => {},
      leave: () => exchange.leave(),
      close: async () => {
        workers.stop();
        await connection.close();
      },
    };
  };
}
