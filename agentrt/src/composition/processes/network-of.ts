import { env } from "node:process";
import type { Kernel, Log, StateStore } from "../../core/index.ts";
import {
  type Link,
  NatsLink,
  type NatsLinkEvent,
  ZmqLink,
  type ZmqLinkEvent,
} from "../../links/index.ts";
import type { AgentElsewhere, Network, NetworkedRuntime, TreeFiles } from "../../runtime/index.ts";
import type { Topology } from "../../topology/index.ts";
import { serializerNamed } from "../../wire/index.ts";
import {
  type ConnectionOptions,
  FencedStateStore,
  supervisorNetwork,
  workerNetwork,
} from "../../workers/index.ts";
import { natsSettingsOf } from "../nats-settings.ts";
import { signedLink } from "./signed-link.ts";
import { topologyHash } from "./topology-hash.ts";
import { zmqKeysOf } from "./zmq-keys.ts";
import { refuseUnhosted, sharedGroupsOf } from "./refuse-unhosted.ts";
import { agentNamesOf } from "./worker-topology.ts";

/** Which of the processes of a topology this one is. */
export interface ProcessOptions {
  /** Name of its process group; undefined for the supervisor's own process. */
  readonly process?: string | undefined;
  /** NATS servers in place of the file's. */
  readonly natsServers?: readonly string[] | undefined;
  /** Of a supervisor among several: number of its lead. */
  readonly term?: (() => number) | undefined;
  /** Called when the supervisor will never take this worker. */
  readonly onRefused?: ((error: Error) => void) | undefined;
}

type MakeNetwork = (kernel: Kernel, runtime: NetworkedRuntime) => Network;

/**
 * Makes what connects a process with the others of its topology.
 *
 * @param topology The whole topology, as it is in the file.
 * @param options Which process this is.
 * @param parts.others For a worker: the agents that are elsewhere.
 * @param parts.budgetedNames For a worker: those of its agents that are below supervisors with a budget.
 * @param parts.files For a supervisor: what the topology was read from; without it no worker gets it.
 * @param parts.openGroupStates For a supervisor: opens what the workers of a group keep their states in.
 * @returns Undefined where all of it is one process.
 * @throws AGENTRT_COMPOSITION_KEY_NOT_SERVED for what cannot be on a worker; AGENTRT_WIRE_SERIALIZER.
 */
export function networkOf(
  topology: Topology,
  options: ProcessOptions,
  {
    others = [],
    budgetedNames,
    files,
    openGroupStates,
  }: {
    readonly others?: readonly AgentElsewhere[] | undefined;
    readonly budgetedNames?: ReadonlySet<string> | undefined;
    readonly files?: TreeFiles["files"] | undefined;
    readonly openGroupStates?: ((group: string) => Promise<StateStore>) | undefined;
  },
): MakeNetwork | undefined {
  const { transport } = topology;
  if (transport.type === "in_process") return undefined;
  refuseUnhosted(topology);
  const serializer = serializerNamed(env["AGENCY_SERIALIZER"]);
  const hash = topologyHash(topology);
  const sharedGroups = sharedGroupsOf(topology);
  const { process, onRefused = () => undefined } = options;
  return (kernel, runtime) => {
    const { log } = kernel;
    const link = linkOf(topology, options, { kernel, runtime });
    const connection: ConnectionOptions = {
      link,
      serializer,
      log,
      topologyHash: hash,
      files,
      agentNames: agentNamesOf(topology),
      sharedGroups,
      term: options.term,
    };
    return process === undefined
      ? supervisorNetwork({ ...connection, openGroupStates })(kernel, runtime)
      : workerNetwork({
          ...connection,
          process,
          others,
          budgetedNames,
          onRefused,
          isShared: sharedGroups.has(process),
          store: kernel.store instanceof FencedStateStore ? kernel.store : undefined,
        })(kernel, runtime);
  };
}

/** What is needed to make a link. */
interface LinkOwner {
  readonly kernel: Pick<Kernel, "system" | "log" | "wheel">;
  readonly runtime: Pick<NetworkedRuntime, "noteRefusal">;
}

/**
 * Makes what carries the messages of a process, signed where the topology says so.
 *
 * @throws AGENTRT_COMPOSITION_TRANSPORT_KEY when a key cannot be used.
 */
export function linkOf(topology: Topology, options: ProcessOptions, owner: LinkOwner): Link {
  const { kernel } = owner;
  const carrier =
    topology.transport.type === "nats"
      ? natsLink(topology, options, kernel)
      : zmqLink(topology, options, kernel);
  return signedLink(carrier, topology, { process: options.process, ...owner });
}

function natsLink(
  topology: Topology,
  { process = "supervisor", natsServers }: ProcessOptions,
  { system, log }: LinkOwner["kernel"],
): Link {
  return new NatsLink({
    ...natsSettingsOf(topology, natsServers),
    streamName: topology.transport.isJetstream ? topology.transport.streamName : undefined,
    replicaCount: topology.transport.replicaCount,
    name: `agentrt ${process}`,
    system,
    onEvent: (event) => tellNats(log, event),
  });
}

/** The proxy belongs to the supervisor: workers of the same file find it. */
function zmqLink(
  { transport, security }: Topology,
  { process }: ProcessOptions,
  { system, log }: LinkOwner["kernel"],
): Link {
  const isProxyStarted = transport.isProxyStarted && process === undefined;
  const keys = zmqKeysOf(security, isProxyStarted, { system, log });
  const open = [transport.pubAddr, transport.subAddr].filter((address) => !isLocal(address));
  if (isProxyStarted && keys.serverKeys === undefined && open.length > 0)
    log.warn("the proxy of ZeroMQ is open: each program that reaches it can send to the agents", {
      addresses: open.join(", "),
      remedy: "agentrt security init zmq",
    });
  return new ZmqLink({
    pubAddress: transport.pubAddr,
    subAddress: transport.subAddr,
    isProxyStarted,
    ...keys,
    system,
    onEvent: (event) => tellZmq(log, event),
  });
}

/** True for an address that only programs of this machine reach. */
function isLocal(address: string): boolean {
  return /^ipc:|^tcp:\/\/(?:127\.\d+\.\d+\.\d+|localhost|\[::1\]):/.test(address);
}

function tellZmq(log: Log, event: ZmqLinkEvent): void {
  if (event.kind === "failed") log.warn("ZeroMQ reported an error", { reason: event.reason });
  else if (event.kind === "lost")
    log.warn("messages between processes are lost", {
      unsent: event.unsentCount,
      missing: event.missingCount,
    });
  else if (event.kind === "refused")
    log.error("the proxy of ZeroMQ does not let this process in; it is tried again", {
      where: event.where,
      reason: event.reason,
    });
  else if (event.kind === "waiting")
    log.warn("no proxy of ZeroMQ is there yet; it is tried again", { where: event.where });
  else if (event.kind === "connected")
    log.info("connected to the proxy of ZeroMQ again", { where: event.where });
  else
    log.error("the connection to the proxy of ZeroMQ is lost; it is tried again", {
      where: event.where,
    });
}

function tellNats(log: Log, event: NatsLinkEvent): void {
  if (event.kind === "failed") log.warn("NATS reported an error", { reason: event.reason });
  else if (event.kind === "waiting")
    log.warn("no NATS server is there yet; it is tried again", {
      where: event.where,
      reason: event.reason,
    });
  else if (event.kind === "connected") log.info("connected to NATS again", { server: event.where });
  else log.error("the connection to NATS is lost; it is tried again", { server: event.where });
}
