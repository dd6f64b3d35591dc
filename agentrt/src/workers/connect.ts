import { type Kernel, type Log } from "../core/index.ts";
import { ControlChannel, Exchange, type Link } from "../links/index.ts";
import type { Serializer } from "../wire/index.ts";

/** What the processes of a topology are connected by. */
export interface ConnectionOptions {
  readonly link: Link;
  readonly serializer: Serializer;
  readonly log: Log;
  /** Tells topologies apart. */
  readonly topologyHash: string;
}

/** The two ways to other processes: messages of agents, and what processes say to each other. */
export interface Connection {
  readonly processId: string;
  readonly exchange: Exchange;
  readonly channel: ControlChannel;
}

/** Makes both over one link; nothing is connected yet. */
export function connectionOf(kernel: Kernel, options: ConnectionOptions): Connection {
  const { link, serializer, log } = options;
  const { system, wheel, registry, bus } = kernel;
  const processId = system.nextId();
  const onRefused = (error: Error): void =>
    log.warn("a message of another process was not taken", { error });
  const shared = { link, serializer, system, wheel, onRefused };
  const drop = bus.drop.bind(bus);
  return {
    processId,
    exchange: new Exchange({ ...shared, registry, processId, drop }),
    channel: new ControlChannel({ ...shared, ownTopic: `_control.${processId}` }),
  };
}
