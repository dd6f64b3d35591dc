import type {
  AgentCounters,
  AgentNode,
  DeadLetter,
  JsonObject,
  SupervisorNode,
  TreeNode,
  UsesByModel,
} from "../core/index.ts";
import type { MailboxPicture, RuntimeSnapshot } from "../runtime/index.ts";
import { budgetBody } from "./budget-body.ts";
import type { PlacedCircuit, WholeHealth } from "./figures/index.ts";
import type { LoopBlocksFigures, ProcessPicture } from "./process-picture.ts";
import type { RuntimeView } from "./runtime-view.ts";

import type {
  AgentBody,
  AgentCountersBody,
  AgentNodeBody,
  CircuitBody,
  DeadLettersBody,
  HealthBody,
  LoopBlocksBody,
  MailboxBody,
  ModelUseBody,
  ModelUsesBody,
  ProcessBody,
  ProcessesBody,
  SnapshotBody,
  TopologyBody,
  TreeNodeBody,
} from "./wire.ts";

/**
 * Makes the body of `GET /health`.
 *
 * @param health The health of the runtime, and of the other processes where there are some.
 * @returns `ok`, or `degraded` with the names of those that are crashed for good, and the store that is away; how many
 *   approvals wait, where some do.
 */
export function healthBody(health: WholeHealth): HealthBody {
  const { pendingApprovalCount: pending, outage, audit, halted, outageOf, awayGroups } = health;
  const { silentWorkers } = health;
  const waiting = {
    ...(pending === undefined ? {} : { approvals: { pending } }),
    ...(halted === undefined ? {} : { halted: [...halted] }),
  };
  if (health.status === "ok") return { status: "ok", ...waiting };
  return {
    status: "degraded",
    failed: [...health.failed],
    ...(outage === undefined
      ? {}
      : {
          state: {
            store: outage.store,
            reason: outage.reason,
            ...(outageOf === undefined ? {} : { worker: outageOf }),
          },
        }),
    ...(awayGroups === undefined ? {} : { workers_away: [...awayGroups] }),
    ...(silentWorkers === undefined ? {} : { workers_silent: [...silentWorkers] }),
    ...(audit === undefined ? {} : { audit: { ...audit } }),
    ...waiting,
  };
}

/**
 * Makes the body of `GET /snapshot`.
 *
 * @param snapshot The runtime's counters.
 * @param names Agents whose counters are in it; default all.
 * @returns The counters under their wire names.
 */
export function snapshotBody(
  snapshot: RuntimeSnapshot,
  names: readonly string[] = Object.keys(snapshot.agents),
): SnapshotBody {
  return {
    agents: Object.fromEntries(
      names.flatMap((name) => {
        const counters = snapshot.agents[name];
        return counters === undefined ? [] : [[name, countersBody(counters)] as const];
      }),
    ),
    ...(snapshot.budgets.length === 0 ? {} : { budgets: snapshot.budgets.map(budgetBody) }),
    total_messages: snapshot.totalMessages,
    total_cost_usd: snapshot.totalCostUsd,
    models: usesBody(snapshot.models),
    uptime_seconds: secondsOf(snapshot.uptimeMs),
    restart_history: snapshot.restartHistory.map(({ agent, atMs, reason }) => ({
      agent_name: agent,
      timestamp: atMs / 1000,
      reason,
    })),
    ...circuitsBody(snapshot.circuits),
  };
}

/** The circuits under their wire names; nothing where there are none. */
function circuitsBody(circuits: readonly PlacedCircuit[]): {
  readonly circuits?: readonly CircuitBody[];
} {
  if (circuits.length === 0) return {};
  return {
    circuits: circuits.map((circuit) => ({
      kind: circuit.kind,
      name: circuit.name,
      state: circuit.state === "halfOpen" ? "half_open" : circuit.state,
      call_count: circuit.callCount,
      failure_count: circuit.failureCount,
      refused_count: circuit.refusedCount,
      opened_count: circuit.openedCount,
      retry_after_seconds: secondsOf(circuit.retryAfterMs),
      ...(circuit.worker === undefined ? {} : { worker: circuit.worker }),
    })),
  };
}

/**
 * Makes the body of `GET /topology`.
 *
 * @param root The root of the running tree.
 * @param options.circuits Those of the runtime.
 * @param options.processId What to call the process that runs it.
 * @param options.revision What to ask for as `since`, to get nothing until something has happened; undefined for none.
 * @returns The tree, its revision, and the circuits where there are any.
 */
export function topologyBody(
  root: TreeNode,
  options: {
    readonly circuits: readonly PlacedCircuit[];
    readonly processId: string;
    readonly revision?: string | undefined;
  },
): TopologyBody {
  const { circuits, processId, revision } = options;
  return {
    ...treeBody(root, processId),
    ...(revision === undefined ? {} : { revision }),
    ...circuitsBody(circuits),
  };
}

/**
 * Makes the body of `GET /dead-letters`.
 *
 * @param snapshot Has the counts.
 * @param letters The latest, oldest first.
 * @param canReplay Says whether one can be sent again; default none can.
 * @returns Both under their wire names.
 */
export function deadLettersBody(
  snapshot: RuntimeSnapshot,
  letters: readonly DeadLetter[],
  canReplay: (id: string) => boolean = () => false,
): DeadLettersBody {
  return {
    counts: snapshot.dropped,
    dead_letters: letters.map(
      ({ reason, atMs, type, sender, recipient, id, traceId, timestampMs }) => ({
        reason,
        timestamp: atMs / 1000,
        type,
        sender,
        recipient,
        id,
        trace_id: traceId,
        sent_timestamp: timestampMs / 1000,
        ...(id !== null && canReplay(id) ? { replayable: true } : {}),
      }),
    ),
  };
}

/**
 * Makes the body of a node in `GET /topology`.
 *
 * @param node A node of the running tree.
 * @param processId What to call the process that runs it.
 * @returns The node and all below it.
 */
export function treeBody(node: TreeNode, processId: string): TreeNodeBody {
  if (node.kind === "agent") return agentNodeBody(node, processId);
  if (node.dynamic !== undefined) {
    const { childCountMax, spawnCountMax, liveCount } = node.dynamic;
    return {
      name: node.name,
      type: "dynamic_supervisor",
      status: node.status,
      restart_count: node.restartCount,
      process_id: processId,
      max_children: childCountMax ?? null,
      max_total_spawns: spawnCountMax ?? null,
      live_count: liveCount,
      children: node.children.map((child) => treeBody(child, processId)),
    };
  }
  if (node.keyed !== undefined) {
    const { keyField, residentCountMax, residentCount, waitingCount, failedCount } = node.keyed;
    const { mailboxDepth, suspension } = node.keyed;
    return {
      name: node.name,
      type: "keyed",
      status: node.status,
      restart_count: node.restartCount,
      crashes_in_window: node.crashesInWindow,
      process_id: processId,
      key: keyField,
      max_resident: residentCountMax,
      resident_count: residentCount,
      waiting_count: waitingCount,
      failed_count: failedCount,
      mailbox_depth: mailboxDepth,
      suspend_category: suspension?.category ?? null,
      ...placementBody(node),
      children: [],
    };
  }
  if (node.pool !== undefined) {
    const { memberCountMin, memberCountMax, busyCount, mailboxDepth, suspension } = node.pool;
    return {
      name: node.name,
      type: "pool",
      status: node.status,
      restart_count: node.restartCount,
      crashes_in_window: node.crashesInWindow,
      process_id: processId,
      min: memberCountMin,
      max: memberCountMax,
      busy_count: busyCount,
      mailbox_depth: mailboxDepth,
      suspend_category: suspension?.category ?? null,
      ...placementBody(node),
      children: node.children.map((child) => treeBody(child, processId)),
    };
  }
  return {
    name: node.name,
    type: "supervisor",
    strategy: node.strategy,
    restart_count: node.restartCount,
    crashes_in_window: node.crashesInWindow,
    process_id: processId,
    children: node.children.map((child) => treeBody(child, processId)),
  };
}

/**
 * Makes the body of `GET /agents`: every agent, supervisors left out, in tree order.
 *
 * @param root The root of the running tree.
 * @param processId What to call the process that runs it.
 * @returns One item an agent.
 */
export function agentsBody(root: TreeNode, processId: string): AgentBody[] {
  return [...walkAgents(root)].map((each) => listedBody(each, processId));
}

/** An agent, and how it came into the tree. */
export interface ListedAgent {
  readonly agent: AgentNode;
  /** True when it was spawned. */
  readonly isDynamic: boolean;
}

function* walkAgents(node: TreeNode, isDynamic = false): Generator<ListedAgent> {
  if (node.kind === "agent") yield { agent: node, isDynamic };
  else for (const child of node.children) yield* walkAgents(child, node.dynamic !== undefined);
}

/** Makes the item of an agent in `GET /agents`. */
export function listedBody({ agent, isDynamic }: ListedAgent, processId: string): AgentBody {
  const body = agentBody(agent, processId);
  return isDynamic ? { ...body, restart_count: agent.restartCount } : body;
}

function countersBody(counters: AgentCounters): AgentCountersBody {
  return {
    messages_handled: counters.messagesHandled,
    messages_sent: counters.messagesSent,
    chunks_sent: counters.chunksSent,
    avg_latency_ms: counters.avgLatencyMs,
    restarts: counters.restarts,
    errors: counters.errors,
    tokens_in: counters.tokensIn,
    tokens_out: counters.tokensOut,
    cost_usd: counters.costUsd,
    model_calls: counters.modelCalls,
    model_errors: counters.modelErrors,
    model_fallbacks: counters.modelFallbacks,
    last_model: counters.lastModel,
    models: usesBody(counters.byModel),
  };
}

function usesBody(uses: UsesByModel): ModelUsesBody {
  const bodies = Object.entries(uses).map(([model, use]): [string, ModelUseBody] => [
    model,
    {
      calls: use.calls,
      unpriced_calls: use.unpricedCalls,
      tokens_in: use.tokensIn,
      tokens_out: use.tokensOut,
      cost_usd: use.costUsd,
    },
  ]);
  return Object.fromEntries(bodies);
}

function agentBody(agent: AgentNode, processId: string): AgentBody {
  return {
    name: agent.name,
    status: agent.status,
    process_id: agent.isElsewhere === true ? agent.processName : processId,
    capabilities: [...agent.capabilities],
    capability_metadata: agent.capabilityMetadata,
    uptime_seconds: secondsOf(agent.uptimeMs),
    session_turn_count: agent.sessionTurnCount,
    session_duration_seconds: secondsOf(agent.sessionDurationMs),
    suspend_category: agent.suspension?.category ?? null,
    ...(agent.suspension?.approvals === undefined ? {} : { approvals: agent.suspension.approvals }),
    ...haltBody(agent.suspension),
  };
}

/** @returns How much of a pool or a keyed agent each worker has, where it is on workers. */
export function placementBody({ parts }: SupervisorNode): {
  readonly placement?: { readonly [process: string]: number };
} {
  if (parts === undefined) return {};
  return { placement: Object.fromEntries(parts.map(({ process, count }) => [process, count])) };
}

function haltBody(suspension: AgentNode["suspension"]): Pick<AgentBody, "halted"> {
  if (suspension?.isHalted !== true) return {};
  const { initiatedBy, reason, sinceMs } = suspension;
  return { halted: { initiated_by: initiatedBy ?? "", reason, since: sinceMs / 1000 } };
}

function agentNodeBody(agent: AgentNode, processId: string): AgentNodeBody {
  const { name, ...rest } = agentBody(agent, processId);
  return { name, type: "agent", restart_count: agent.restartCount, ...rest };
}

/**
 * Makes the body of `GET /agents/{name}/mailbox`.
 *
 * @param agent Whose mailbox it is.
 * @param mailbox What waits in it.
 * @returns The same under its wire names.
 */
export function mailboxBody(agent: string, { depth, messages }: MailboxPicture): MailboxBody {
  return {
    agent,
    depth,
    messages: messages.map(({ id, type, sender, priority, timestampMs }) => ({
      id,
      type,
      sender,
      priority,
      timestamp: timestampMs / 1000,
    })),
  };
}

/** How the processes of a topology lie, by their transport. */
const modes: { readonly [transport: string]: string } = {
  in_process: "single_process",
  zmq: "multi_process",
};

/**
 * Makes the body of `GET /processes`: a row for the process that answers.
 *
 * @param view The runtime at this moment.
 * @param processId What its process is called in other bodies.
 */
export function processesBody(
  view: Pick<RuntimeView, "process" | "health" | "transportName">,
  processId: string,
): ProcessesBody {
  const picture = view.process();
  const { halted } = view.health();
  const transport = view.transportName;
  const { pid, cpuPercent, rssBytes, uptimeMs, isContainerized, orchestrator, loopDelay } = picture;
  return {
    deployment: { transport, mode: modes[transport] ?? "distributed" },
    processes: [
      {
        kind: "runtime",
        id: processId,
        pid,
        cpu_percent: Math.round(cpuPercent * 10) / 10,
        rss_bytes: rssBytes,
        uptime_seconds: secondsOf(uptimeMs),
        event_loop_delay: loopDelay === undefined ? null : loopDelayBody(loopDelay),
        container: { containerized: isContainerized, orchestrator },
        ...(halted === undefined ? {} : { halted: [...halted] }),
      },
    ],
  };
}

function blocksBody({ count, firstMs, lastMs, maxMs }: LoopBlocksFigures): LoopBlocksBody {
  return { count, first: firstMs / 1000, last: lastMs / 1000, max_ms: Math.round(maxMs) };
}

function loopDelayBody(
  delay: NonNullable<ProcessPicture["loopDelay"]>,
): ProcessBody["event_loop_delay"] {
  const rounded = (milliseconds: number): number => Math.round(milliseconds * 10) / 10;
  return {
    p50_ms: rounded(delay.p50Ms),
    p99_ms: rounded(delay.p99Ms),
    max_ms: rounded(delay.maxMs),
    window_seconds: secondsOf(delay.windowMs),
    ...(delay.blocked === undefined ? {} : { blocked: blocksBody(delay.blocked) }),
    ...(delay.starved === undefined ? {} : { starved: blocksBody(delay.starved) }),
  };
}

/**
 * A body as a value that can be sent.
 *
 * @param body One of the wire types, which are JSON by construction.
 * @returns The same value.
 */
export function asJson(body: object): JsonObject {
  return body as JsonObject;
}

/** Seconds with no more than three digits after the point. */
function secondsOf(milliseconds: number): number {
  return Math.round(milliseconds) / 1000;
}
