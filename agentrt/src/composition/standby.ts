import { dirname, resolve } from "node:path";
import { env } from "node:process";
import { createRealSystem, type Log, TimerWheel } from "../core/index.ts";
import { topologyServerKind } from "../node-kinds/index.ts";
import { createTypeLoader } from "../plugins/index.ts";
import {
  isOfKind,
  isSupervisorNode,
  type KindNode,
  type Topology,
  walkTree,
} from "../topology/index.ts";
import { serializerNamed } from "../wire/index.ts";
import { LeaderReads } from "../workers/index.ts";
import { buildTree } from "./build-tree.ts";
import { builtInClasses } from "./built-in-classes.ts";
import { linkOf } from "./processes/index.ts";
import { Runtime } from "./runtime.ts";

/** What the control plane of a supervisor that waits is made from. */
export interface StandbyOptions {
  /** Where the topology is: class paths count from its folder. */
  readonly path: string;
  readonly log: Log;
  readonly natsServers?: readonly string[] | undefined;
  /** Who leads, for people. */
  readonly leader: string;
}

/**
 * Starts the topology servers of a topology that have a separate port, as a supervisor that waits has them: what changes nothing is
 * asked of the supervisor that leads.
 *
 * @returns Ends them; undefined where there are none.
 * @throws What the servers or the link throw when they start.
 */
export async function openStandby(
  topology: Topology,
  { path, log, natsServers, leader }: StandbyOptions,
): Promise<(() => Promise<void>) | undefined> {
  const servers = [...walkTree(topology.supervision)].filter(isServer);
  if (servers.length === 0) return undefined;
  const system = createRealSystem();
  const wheel = new TimerWheel(system);
  const owner = { kernel: { system, log, wheel }, runtime: { noteRefusal: () => undefined } };
  const reads = new LeaderReads({
    link: linkOf(topology, { natsServers }, owner),
    serializer: serializerNamed(env["AGENCY_SERIALIZER"]),
    system,
    wheel,
    onRefused: (error) => log.warn("a message of another process was not taken", { error }),
  });
  const loader = createTypeLoader({
    projectRoot: dirname(resolve(path)),
    typeMap: builtInClasses,
  });
  const { budget: _, ...root } = topology.supervision;
  const supervision = await buildTree(
    { ...topology, supervision: { ...root, children: servers } },
    loader,
  );
  const runtime = new Runtime({
    supervision,
    log,
    standby: { leader, ask: reads.ask.bind(reads) },
  });
  const close = async (): Promise<void> => {
    await runtime.stop();
    await reads.close();
    wheel.close();
    loader.uninstall();
  };
  try {
    await reads.open();
    await runtime.start();
  } catch (error) {
    await close();
    throw error;
  }
  return close;
}

/** One that is attached to a gateway is left out: that gateway would answer for agents that are not here. */
function isServer(node: unknown): node is KindNode {
  const found = node as KindNode;
  return (
    !isSupervisorNode(found) &&
    isOfKind(topologyServerKind, found) &&
    found.settings.attachTo === undefined
  );
}
