import { type Kernel, type Log, type StateStore } from "../core/index.ts";
import { ControlChannel, Exchange, type Link, linkErrors } from "../links/index.ts";
import type { NetworkedRuntime, TreeFiles } from "../runtime/index.ts";
import type { Serializer } from "../wire/index.ts";
import { hostLocalNames, type LocalNames } from "./local-names.ts";

/** What the processes of a topology are connected by. */
export interface ConnectionOptions {
  readonly link: Link;
  readonly serializer: Serializer;
  readonly log: Log;
  /** Tells topologies apart. */
  readonly topologyHash: string;
  /** What the tree is made from; for a supervisor. */
  readonly files?: TreeFiles["files"] | undefined;
  /** Agents of the topology: where the broker keeps messages, it keeps theirs. */
  readonly agentNames?: ReadonlySet<string> | undefined;
  /** Process groups that several workers may join; for a supervisor. Default none but those with pools and keyed agents. */
  readonly sharedGroups?: ReadonlySet<string> | undefined;
  /** For a supervisor: opens what the workers of a group of several keep their states in. Default nobody knows. */
  readonly openGroupStates?: ((group: string) => Promise<StateStore>) | undefined;
  /** Of a supervisor among several: number of its lead. */
  readonly term?: (() => number) | undefined;
}

/** The two ways to other processes: messages of agents, and what processes say to each other. */
export interface Connection {
  readonly processId: string;
  readonly exchange: Exchange;
  readonly channel: ControlChannel;
  /** Connects, and lets others reach the names of this process. */
  open(): Promise<void>;
  /** Where the broker keeps messages, it keeps those of these agents from now on. */
  readonly nameAgents: (names: ReadonlySet<string>) => void;
  /** {@inheritDoc LocalNames.isReached} */
  isReached(name: string): Promise<void>;
  /** Ends what waits, and disconnects. */
  close(): Promise<void>;
}

/** Makes both over one link; nothing is connected yet. */
export function connectionOf(
  kernel: Kernel,
  { redactor }: Pick<NetworkedRuntime, "redactor">,
  options: ConnectionOptions,
): Connection {
  const { link, serializer, log } = options;
  let { agentNames } = options;
  const { system, wheel, registry, bus } = kernel;
  const processId = system.nextId();
  const onRefused = (error: Error): void =>
    log.warn("a message of another process was not taken", { error });
  const shared = { link, serializer, system, wheel, onRefused };
  const drop = bus.drop.bind(bus);
  const exchange = new Exchange({
    ...shared,
    registry,
    processId,
    drop,
    isStored: (name) => agentNames?.has(name) === true,
  });
  const channel = new ControlChannel({
    ...shared,
    ownTopic: `_control.${processId}`,
    term: options.term,
    redactText: redactor.text,
  });
  let names: LocalNames | undefined;
  return {
    processId,
    exchange,
    channel,
    nameAgents: (names) => {
      agentNames = names;
    },
    open: async () => {
      await exchange.start();
      await channel.start();
      names = await hostLocalNames(registry, exchange, (name, error) =>
        log.error("other processes cannot reach an agent", { agent: name, error }),
      );
    },
    isReached: async (name) => await names?.isReached(name),
    close: async () => {
      names?.end();
      channel.stop(new linkErrors.DOWN({ link: link.name, address: "other processes" }));
      await exchange.stop();
    },
  };
}
