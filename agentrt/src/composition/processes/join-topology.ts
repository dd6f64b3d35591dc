import { env } from "node:process";
import { createRealSystem, type JsonObject, type Log, TimerWheel } from "../../core/index.ts";
import { nodeKinds } from "../../node-kinds/index.ts";
import type { TreeFiles } from "../../runtime/index.ts";
import { parseParts, requireTopology, type Topology } from "../../topology/index.ts";
import { serializerNamed } from "../../wire/index.ts";
import { wantedTree } from "../../workers/index.ts";
import type { JoinAddress } from "./join-address.ts";
import { linkOf } from "./network-of.ts";
import { topologyHash } from "./topology-hash.ts";

/** How a supervisor is asked for its tree. */
export interface JoinOptions {
  readonly address: JoinAddress;
  /** Name of the process group; undefined for the only one. */
  readonly process: string | undefined;
  /** What it has to be, or to have been, and whose `security` counts; undefined for whatever runs there. */
  readonly topology: Topology | undefined;
  readonly log: Log;
}

/** What a supervisor answers. */
export interface JoinedTree extends TreeFiles {
  /** The process groups of its tree. */
  readonly groups: readonly string[];
}

/**
 * Asks the supervisor at an address for its tree.
 *
 * @throws AGENTRT_LINK_*; AGENTRT_WORKER_NO_SUPERVISOR when none answers within 30 seconds; AGENTRT_WORKER_OTHER_TOPOLOGY.
 */
export async function joinTopology(options: JoinOptions): Promise<JoinedTree> {
  const { address, process = "worker", topology, log } = options;
  const system = createRealSystem();
  const wheel = new TimerWheel(system);
  const joined = joinedAt(topology ?? emptyTopology(), address);
  const owner = { kernel: { system, log, wheel }, runtime: { noteRefusal: () => undefined } };
  const link = linkOf(joined, { process }, owner);
  const where = address.type === "nats" ? address.servers.join(", ") : address.pubAddr;
  try {
    await link.start();
    const question: JsonObject = {
      process: options.process ?? "",
      topology: topology === undefined ? "" : topologyHash(topology),
    };
    const serializer = serializerNamed(env["AGENCY_SERIALIZER"]);
    return await wantedTree({ link, serializer, system, wheel, log, where }, question);
  } finally {
    await link.stop();
    wheel.close();
  }
}

/** @returns The same topology, whose transport is at another address. */
export function joinedAt(topology: Topology, address: JoinAddress): Topology {
  const { type, servers, pubAddr, subAddr } = address;
  const found = type === "nats" ? { servers } : { pubAddr, subAddr };
  return { ...topology, transport: { ...topology.transport, type, ...found } };
}

/** Of a worker that knows no file: only its transport counts. */
function emptyTopology(): Topology {
  const text = "supervision: { name: root, children: [{ name: worker, type: none }] }";
  return requireTopology(parseParts([{ fileName: "none", text }], { kinds: nodeKinds }));
}
