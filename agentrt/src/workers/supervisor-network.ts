import type { Kernel } from "../core/index.ts";
import type { Network } from "../runtime/index.ts";
import { type ConnectionOptions, connectionOf } from "./connect.ts";
import { linkErrors } from "../links/index.ts";
import { hostLocalNames } from "./local-names.ts";
import { Workers } from "./workers.ts";

/** Connects the process that has the tree with its workers: agents with a process name are theirs. */
export function supervisorNetwork(options: ConnectionOptions): (kernel: Kernel) => Network {
  return (kernel) => {
    const { exchange, channel } = connectionOf(kernel, options);
    const { log, topologyHash, link } = options;
    const workers = new Workers({ kernel, exchange, channel, log, topologyHash });
    let endNames: (() => void) | undefined;
    return {
      transport: options.link.name,
      driverOf: (spec, below) => workers.driverOf(spec, below),
      open: async () => {
        await exchange.start();
        await channel.start();
        endNames = await hostLocalNames(kernel.registry, exchange, (name, error) =>
          log.error("other processes cannot reach an agent", { agent: name, error }),
        );
        await workers.start();
      },
      begin: async () => {},
      leave: () => {},
      close: async () => {
        endNames?.();
        workers.stop();
        channel.stop(new linkErrors.DOWN({ link: link.name, address: "workers" }));
        await exchange.stop();
      },
    };
  };
}
