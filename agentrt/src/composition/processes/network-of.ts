import { env } from "node:process";
import type { Kernel, Log } from "../../core/index.ts";
import { NatsLink, type NatsLinkEvent } from "../../links/index.ts";
import type { Network, NetworkedRuntime } from "../../runtime/index.ts";
import type { Topology } from "../../topology/index.ts";
import { serializerNamed } from "../../wire/index.ts";
import {
  type AgentElsewhere,
  type ConnectionOptions,
  supervisorNetwork,
  workerNetwork,
} from "../../workers/index.ts";
import { topologyHash } from "./topology-hash.ts";
import { refuseUnhosted } from "./worker-topology.ts";

/** Which of the processes of a topology this one is. */
export interface ProcessOptions {
  /** Name of its process group; undefined for the supervisor's own process. */
  readonly process?: string | undefined;
  /** NATS servers in place of the file's. */
  readonly natsServers?: readonly string[] | undefined;
  /** Called when the supervisor will never take this worker. */
  readonly onRefused?: ((error: Error) => void) | undefined;
}

type MakeNetwork = (kernel: Kernel, runtime: NetworkedRuntime) => Network;

/**
 * Makes what connects a process with the others of its topology.
 *
 * @param topology The whole topology, as it is in the file.
 * @param options Which process this is.
 * @param others For a worker: the agents that are elsewhere.
 * @returns Undefined where all of it is one process.
 * @throws AGENTRT_COMPOSITION_KEY_NOT_SERVED for what cannot be on a worker; AGENTRT_WIRE_SERIALIZER.
 */
export function networkOf(
  topology: Topology,
  options: ProcessOptions,
  others: readonly AgentElsewhere[],
): MakeNetwork | undefined {
  const { transport } = topology;
  if (transport.type !== "nats") return undefined;
  refuseUnhosted(topology);
  const serializer = serializerNamed(env["AGENCY_SERIALIZER"]);
  const hash = topologyHash(topology);
  const { process, natsServers = transport.servers, onRefused = () => undefined } = options;
  return (kernel, runtime) => {
    const { log } = kernel;
    const link = new NatsLink({
      servers: natsServers,
      name: `agentrt ${process ?? "supervisor"}`,
      onEvent: (event) => tellLink(log, event),
    });
    const connection: ConnectionOptions = { link, serializer, log, topologyHash: hash };
    return process === undefined
      ? supervisorNetwork(connection)(kernel)
      : workerNetwork({ ...connection, process, others, onRefused })(kernel, runtime);
  };
}

function tellLink(log: Log, event: NatsLinkEvent): void {
  if (event.kind === "failed") log.warn("NATS reported an error", { reason: event.reason });
  else if (event.kind === "connected") log.info("connected to NATS again", { server: event.where });
  else log.error("the connection to NATS is lost; it is tried again", { server: event.where });
}
