import {
  isSupervisorNode,
  processGroups,
  type Topology,
  type TransportSettings,
  walkTree,
} from "../topology/index.ts";
import { type DeployedFolders, foldersOf } from "./folders.ts";
import { serviceName } from "./service-names.ts";
import { type Variable, variablesOf } from "./variables.ts";

/** A port that a node of the topology listens on. */
export interface DeployedPort {
  readonly node: string;
  readonly port: number;
  readonly protocol: "tcp" | "udp";
  /** As the topology has it. */
  readonly host: string;
  /** True where only the own machine is to reach it. */
  readonly isLocal: boolean;
  /** What is before `/health` and `/ready`; undefined for a port that cannot be asked for them without a certificate. */
  readonly healthPrefix: string | undefined;
}

/** What is known of the folder that the topology runs in. */
export interface DeploymentProject {
  /** That folder, seen from the folder of the deployment, with slashes. */
  readonly path: string;
  /** The folder of the deployment, seen from there. */
  readonly deploymentPath: string;
  /** Files of it, relative to it, that tell npm what to install: `package.json` and those that it needs. */
  readonly manifests: readonly string[];
  readonly hasLock: boolean;
  /** Packages that `package.json` does not name and that the topology needs, as npm installs them. */
  readonly missingPackages: readonly string[];
}

/** What a deployment is made from. */
export interface DeploymentInit {
  /** What all of it is called. */
  readonly name: string;
  /** Version of agentrt. */
  readonly version: string;
  readonly topology: Topology;
  /** The files of the topology, the one at the bottom first: relative to the working directory, and what the copy is called. */
  readonly files: readonly {
    readonly path: string;
    readonly copy: string;
    readonly text: string;
  }[];
  /** Names of variables that are put into the topology and that it gives no value; undefined where none are put in. */
  readonly substituted: readonly string[] | undefined;
  readonly project: DeploymentProject;
  readonly ports: readonly DeployedPort[];
}

/** One process of a deployment. */
export interface DeployedProcess {
  /** `supervisor`, or `worker-` and the group: lower-case letters, digits and dashes. */
  readonly service: string;
  /** Its process group; undefined for the supervisor. */
  readonly group: string | undefined;
  /** Names of the agents that it runs, in file order. */
  readonly agents: readonly string[];
}

/** A topology as it is deployed. */
export interface Deployment extends Omit<DeploymentInit, "topology"> {
  readonly transport: TransportSettings;
  readonly topology: Topology;
  /** The supervisor first. */
  readonly processes: readonly [DeployedProcess, ...DeployedProcess[]];
  /** True where NATS keeps messages or states: its server needs a disk. */
  readonly usesJetStream: boolean;
  /** True where a NATS server is a part of it; else the servers of the topology are used. */
  readonly hasBroker: boolean;
  readonly variables: readonly Variable[];
  readonly folders: DeployedFolders;
  /** Seconds that a stop may take, until the process is killed. */
  readonly stopSeconds: number;
  /** What the one who deploys has to know, a sentence each. */
  readonly notes: readonly string[];
}

/** Seconds that agents have for `onStop`, and the process to end. */
const stopSecondsMore = 30;

/**
 * Says what runs a topology elsewhere. Touches no disk.
 *
 * @param init The topology, and what is known of its folder.
 */
export function deploymentOf(init: DeploymentInit): Deployment {
  const { topology } = init;
  const { transport } = topology;
  const hasTls = isObject(natsSecurity(topology)["tls"]);
  const hasBroker = transport.type === "nats" && !hasTls;
  return {
    ...init,
    transport,
    processes: processesOf(topology),
    usesJetStream: usesJetStream(topology),
    hasBroker,
    variables: variablesOf(init, hasBroker),
    folders: foldersOf(topology),
    stopSeconds: stopSecondsOf(topology),
    notes: notesOf(init, hasTls),
  };
}

/** Says whether messages or states of a topology are kept by NATS. */
export function usesJetStream({ transport, plugins: { state } }: Topology): boolean {
  const { store } = (state?.config ?? {}) as { readonly store?: { readonly type?: unknown } };
  const isStored = transport.type === "nats" && transport.isJetstream;
  return isStored || [state?.type, store?.type].includes("nats_kv");
}

function processesOf(topology: Topology): readonly [DeployedProcess, ...DeployedProcess[]] {
  const isOne = topology.transport.type === "in_process";
  const agentsOf = (group: string | undefined): readonly string[] =>
    [...walkTree(topology.supervision)]
      .filter((node) => !isSupervisorNode(node) && (isOne || node.process === group))
      .map(({ name }) => name);
  const groups = isOne ? [] : processGroups(topology);
  return [
    { service: "supervisor", group: undefined, agents: agentsOf(undefined) },
    ...groups.map((group) => ({
      service: `worker-${serviceName(group)}`,
      group,
      agents: agentsOf(group),
    })),
  ];
}

function stopSecondsOf({ shutdown = {}, supervision }: Topology): number {
  const seconds = (value: unknown): number => (typeof value === "number" ? value : 0);
  const longest = [...walkTree(supervision)].map((node) =>
    isSupervisorNode(node) ? 0 : seconds(node.declared["request_timeout"]),
  );
  const { lame_duck: lameDuck, grace = Math.max(30, ...longest) } = shutdown;
  return Math.ceil(seconds(lameDuck) + seconds(grace)) + stopSecondsMore;
}

function notesOf({ topology, ports }: DeploymentInit, hasTls: boolean): readonly string[] {
  const { transport, security = {} } = topology;
  const notes: string[] = [];
  if (hasTls)
    notes.push(
      "NATS with TLS: the servers of the topology are used, none is a part of the deployment",
    );
  const { transport: secured } = security;
  if (transport.type === "zmq" && !isObject(isObject(secured) ? secured["zmq"] : undefined))
    notes.push(
      "messages over zmq are not encrypted: `agentrt security init zmq` makes keys, or keep others out of the network",
    );
  for (const { node, port } of ports)
    if (port === 0)
      notes.push(`"${node}" takes any free port: give it one, so that it can be reached`);
  return notes;
}

function natsSecurity({ security = {} }: Topology): { readonly [key: string]: unknown } {
  const { transport } = security;
  const nats = isObject(transport) ? transport["nats"] : undefined;
  return isObject(nats) ? nats : {};
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
