/** What a worker and the supervisor say to each other: addresses, types, and the shapes of payloads. */
import type { AgentStatus, JsonObject } from "../core/index.ts";

/** Where workers report. */
export const supervisorTopic = "_agency.supervisor";

/** Where all workers hear that a supervisor has come. */
export const workersTopic = "_agency.workers";

/** Where a worker takes commands; another one after each start. */
export function workerTopic(processId: string): string {
  return `_agency.worker.${processId}`;
}

/** The types of control messages. */
export const controlTypes = {
  /** Worker: it is there, with these agents; it may be about to stop. Answered with `{interval}`, or refused. */
  register: "_agency.register",
  /** Worker: its agents stop now. */
  deregister: "_agency.deregister",
  /** Worker: an agent has ended by itself. */
  exit: "_agency.exit",
  /** Supervisor: start this agent, a new object of it if one runs. */
  start: "_agency.force_restart",
  /** Supervisor: stop this agent. */
  stop: "_agency.shutdown",
  /** Supervisor: is it there? Answered with what its agents do. */
  probe: "_agency.health_probe",
  /** Supervisor: a question of the control plane about agents. */
  ask: "_agency.control",
  /** A supervisor that waits: a question of its control plane, which changes nothing. */
  read: "_agency.read",
  /** Worker: what its agents do, as soon as that changes. */
  news: "_agency.news",
  /** Supervisor: put your part of this tree in place, up to its end. Answered with what the agents do then. */
  tree: "_agency.tree",
  /** Supervisor: keep that. */
  keepTree: "_agency.tree_keep",
  /** Supervisor: take it back. */
  dropTree: "_agency.tree_drop",
  /** A process that wants to be a worker: which tree is it? */
  wantTree: "_agency.tree_want",
} as const;

/** What is known of an agent of a worker. */
export interface HostedAgent {
  readonly status: AgentStatus;
  readonly mailboxDepth: number;
  readonly isRefusing: boolean;
  /** True for a child that the supervisor has spawned there. */
  readonly isSpawned?: boolean | undefined;
}

/** A worker that is there. */
export interface Hello {
  /** Name of its process group. */
  readonly process: string;
  readonly processId: string;
  /** Tells topologies apart. */
  readonly topologyHash: string;
  /** Those that it has had before. */
  readonly knownHashes: readonly string[];
  readonly agents: { readonly [name: string]: HostedAgent };
  /** True for one that stops: it finishes what it has, and gives that up. */
  readonly isLeaving: boolean;
}

/** Writes the payload of `register`. */
export function helloPayload(hello: Hello): JsonObject {
  const { process, processId, topologyHash, knownHashes, agents, isLeaving } = hello;
  return {
    process,
    process_id: processId,
    topology: topologyHash,
    topologies: [...knownHashes],
    agents: agentsPayload(agents),
    is_leaving: isLeaving,
  };
}

/** Reads it; what is wrong becomes empty, and is refused by who looks for it. */
export function readHello(payload: JsonObject): Hello {
  const { process, process_id: processId, topology, topologies } = payload;
  return {
    process: textOf(process),
    processId: textOf(processId),
    topologyHash: textOf(topology),
    knownHashes: Array.isArray(topologies) ? topologies.map(textOf) : [],
    agents: readAgents(payload),
    isLeaving: payload["is_leaving"] === true,
  };
}

/** Writes what agents do. */
export function agentsPayload(agents: Hello["agents"]): JsonObject {
  return Object.fromEntries(
    Object.entries(agents).map(([name, { status, mailboxDepth, isRefusing, isSpawned }]) => [
      name,
      {
        status,
        mailbox_depth: mailboxDepth,
        is_refusing: isRefusing,
        ...(isSpawned === true ? { is_spawned: true } : {}),
      },
    ]),
  );
}

/** Reads `agents` of a payload. */
export function readAgents({ agents }: JsonObject): Hello["agents"] {
  const found: { [name: string]: HostedAgent } = {};
  for (const [name, each] of Object.entries(objectOf(agents))) {
    const { status, mailbox_depth: depth, is_refusing: isRefusing } = objectOf(each);
    const isSpawned = objectOf(each)["is_spawned"] === true;
    found[name] = {
      status: statusOf(status),
      mailboxDepth: typeof depth === "number" ? depth : 0,
      isRefusing: isRefusing === true,
      isSpawned,
    };
  }
  return found;
}

const statuses: ReadonlySet<unknown> = new Set<AgentStatus>([
  "INITIALIZING",
  "RUNNING",
  "SUSPENDED",
  "STOPPING",
  "STOPPED",
  "CRASHED",
]);

function statusOf(value: unknown): AgentStatus {
  return statuses.has(value) ? (value as AgentStatus) : "STOPPED";
}

/** @returns A text, empty for anything else. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** @returns An object, an empty one for anything else. */
export function objectOf(value: unknown): JsonObject {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as JsonObject) : {};
}
