import type { AgentActivity, AgentNode, SupervisorNode, SuspensionNode } from "../../core/index.ts";
import { type AgentBody, type AgentDetailBody, type SuspensionBody } from "../wire.ts";
import { listedBody, placementBody } from "../bodies.ts";
import { messageBody } from "../observing/index.ts";
import type { RuntimeView } from "../runtime-view.ts";
import { restingActivity } from "../figures/index.ts";
import { awaitedBody } from "./overview.ts";

/** What is asked for. */
interface Wanted {
  readonly name: string;
  /** What to call the process that runs it. */
  readonly processId: string;
}

/**
 * Makes the body of `GET /agents/{name}`.
 *
 * @param view The running tree.
 * @param wanted Name of an agent, a pool, a keyed agent, or a key that has an object.
 * @returns The body; `undefined` when there is none of that name.
 */
export function agentDetailBody(view: RuntimeView, wanted: Wanted): AgentDetailBody | undefined {
  const found = find(view, wanted);
  if (found === undefined) return undefined;
  const { kind, body, restartCount, suspension, waitingSenderCount } = found;
  const activity = found.isElsewhere ? restingActivity : view.activity(wanted.name);
  const { className, atHand, mailboxDepth, oldestMs } = activity;
  return {
    ...body,
    restart_count: restartCount,
    kind,
    class: className,
    mailbox: {
      depth: mailboxDepth,
      oldest_timestamp: oldestMs === null ? null : oldestMs / 1000,
      waiting_senders: waitingSenderCount,
    },
    at_hand: atHand.map((message) => ({
      ...messageBody(message),
      since: message.sinceMs / 1000,
      attempt: message.attempt,
    })),
    ...waitingBody(activity),
    suspension: suspension === null ? null : suspensionBody(suspension),
    last_crash: view.observer.crashes.lastOf(wanted.name) ?? null,
    above: found.above,
  };
}

function waitingBody({
  awaitsStore,
  awaits,
  drain,
  listeners,
}: AgentActivity): Pick<
  AgentDetailBody,
  "waits_for_state" | "waits_for" | "draining" | "listeners"
> {
  return {
    ...(awaitsStore ? { waits_for_state: true } : {}),
    ...awaitedBody(awaits),
    ...(drain === undefined
      ? {}
      : {
          draining: {
            reason: drain.reason,
            initiated_by: drain.initiatedBy,
            since: drain.sinceMs / 1000,
          },
        }),
    ...(listeners === undefined ? {} : { listeners: listeners.map((each) => ({ ...each })) }),
  };
}

function suspensionBody(suspension: SuspensionNode): SuspensionBody {
  const { reason, category, sinceMs, initiatedBy, isDurable, isDrained, isHalted } = suspension;
  return {
    reason,
    category,
    since: sinceMs / 1000,
    initiated_by: initiatedBy,
    durable: isDurable,
    drained: isDrained,
    ...(isHalted === true ? { halted: true } : {}),
  };
}

interface Found {
  readonly isElsewhere: boolean;
  readonly kind: AgentDetailBody["kind"];
  readonly body: AgentBody;
  readonly restartCount: number;
  readonly suspension: SuspensionNode | null;
  readonly waitingSenderCount: number;
  readonly above: readonly string[];
}

function find(view: RuntimeView, { name, processId }: Wanted): Found | undefined {
  const agent = view.agentNode(name);
  const placed = view.findNode(name);
  const node = placed?.node;
  const above = placed?.above ?? aboveKey(view, name);
  const shown = agent ?? (node?.kind === "agent" ? node : undefined);
  if (shown !== undefined) {
    const { restartCount, suspension, waitingSenderCount } = shown;
    const kind = node === undefined ? "key" : "agent";
    const body = bodyOf(shown, processId);
    const isElsewhere = agent === undefined;
    return { kind, isElsewhere, body, restartCount, suspension, waitingSenderCount, above };
  }
  if (node?.kind !== "supervisor") return undefined;
  const group = node.pool ?? node.keyed;
  if (group === undefined) return undefined;
  return {
    kind: node.pool === undefined ? "keyed" : "pool",
    isElsewhere: node.parts !== undefined,
    body: groupBody(node, { processId, suspension: group.suspension }),
    restartCount: node.restartCount,
    suspension: group.suspension,
    waitingSenderCount: node.pool?.waitingSenderCount ?? 0,
    above,
  };
}

function bodyOf(agent: AgentNode, processId: string): AgentBody {
  return listedBody({ agent, isDynamic: false }, processId);
}

function groupBody(
  node: SupervisorNode,
  of: { readonly processId: string; readonly suspension: SuspensionNode | null },
): AgentBody {
  return {
    name: node.name,
    status: node.status,
    process_id: of.processId,
    capabilities: [...(node.pool?.capabilities ?? [])],
    capability_metadata: node.pool?.capabilityMetadata ?? {},
    uptime_seconds: Math.round(node.uptimeMs) / 1000,
    session_turn_count: 0,
    session_duration_seconds: 0,
    suspend_category: of.suspension?.category ?? null,
    ...placementBody(node),
  };
}

/** A key has a place in the tree where its keyed agent has one. */
function aboveKey(view: RuntimeView, name: string): readonly string[] {
  const [keyed = ""] = name.split("/", 1);
  const placed = view.findNode(keyed);
  return placed === undefined ? [] : [...placed.above, keyed];
}
