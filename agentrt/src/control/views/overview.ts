import type {
  AgentNode,
  BudgetReport,
  SupervisorNode,
  SuspensionNode,
  TreeNode,
} from "../../core/index.ts";
import type { RuntimeSnapshot } from "../../runtime/index.ts";
import type { RuntimeView } from "../runtime-view.ts";
import type { OverviewBody, OverviewRowBody, UsedUpBudgetBody } from "../wire-history.ts";

/**
 * Makes the body of `GET /overview`: a row for each agent, pool and keyed agent, in tree order.
 *
 * @param view The running tree.
 */
export function overviewBody(view: RuntimeView): OverviewBody {
  const snapshot = view.snapshot();
  const agents: OverviewRowBody[] = [];
  for (const node of nodesWithMailbox(view.tree())) agents.push(rowOf(node, view, snapshot));
  const usedUp = snapshot.budgets.filter(isUsedUp).slice(0, budgetCountMax);
  return {
    timestamp: view.observer.nowMs / 1000,
    agents,
    ...(usedUp.length === 0 ? {} : { budgets_used_up: usedUp.map(usedUpBody) }),
  };
}

/** Most budgets that are named as used up; keyed agents can have many. */
const budgetCountMax = 100;

function isUsedUp(budget: BudgetReport): boolean {
  const { limitUsd, limitTokens, spentUsd, spentTokens, reservedUsd, reservedTokens } = budget;
  return (
    // Sums of dollars are a little off.
    (limitUsd !== null && spentUsd + reservedUsd > limitUsd - 1e-9) ||
    (limitTokens !== null && spentTokens + reservedTokens >= limitTokens)
  );
}

function usedUpBody({ name, per, freesAtMs }: BudgetReport): UsedUpBudgetBody {
  return { name, per, frees_at: freesAtMs === null ? null : freesAtMs / 1000 };
}

/** What of a node is in its row. */
interface RowNode {
  readonly kind: OverviewRowBody["kind"];
  readonly node: AgentNode | SupervisorNode;
  readonly suspension: SuspensionNode | null;
}

function* nodesWithMailbox(node: TreeNode): Generator<RowNode> {
  if (node.kind === "agent") {
    yield { kind: "agent", node, suspension: node.suspension };
    return;
  }
  const group = node.pool ?? node.keyed;
  if (group !== undefined) {
    const kind = node.pool === undefined ? "keyed" : "pool";
    yield { kind, node, suspension: group.suspension };
  }
  for (const child of node.children) yield* nodesWithMailbox(child);
}

function rowOf(
  { kind, node, suspension }: RowNode,
  view: RuntimeView,
  snapshot: RuntimeSnapshot,
): OverviewRowBody {
  const { name, status, restartCount, uptimeMs } = node;
  const { className, atHand, mailboxDepth, oldestMs, awaitsStore } = view.activity(name);
  const [first] = atHand.toSorted((a, b) => a.sinceMs - b.sinceMs);
  const counters = snapshot.agents[name];
  return {
    name,
    kind,
    class: className,
    status,
    restart_count: restartCount,
    uptime_seconds: Math.round(uptimeMs) / 1000,
    suspended_since: suspension === null ? null : suspension.sinceMs / 1000,
    suspend_category: suspension?.category ?? null,
    mailbox_depth: mailboxDepth,
    oldest_timestamp: oldestMs === null ? null : oldestMs / 1000,
    at_hand_count: atHand.length,
    at_hand: first === undefined ? null : { type: first.type, since: first.sinceMs / 1000 },
    ...(awaitsStore ? { waits_for_state: true } : {}),
    messages_handled: counters?.messagesHandled ?? 0,
    avg_latency_ms: counters?.avgLatencyMs ?? 0,
    errors: counters?.errors ?? 0,
    tokens_in: counters?.tokensIn ?? 0,
    tokens_out: counters?.tokensOut ?? 0,
    cost_usd: counters?.costUsd ?? 0,
    last_model: counters?.lastModel ?? null,
  };
}
