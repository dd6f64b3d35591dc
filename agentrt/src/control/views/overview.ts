import type {
  AgentCounters,
  AgentNode,
  AwaitedCall,
  BudgetReport,
  SupervisorNode,
  SuspensionNode,
  TreeNode,
} from "../../core/index.ts";
import type { RuntimeSnapshot } from "../../runtime/index.ts";
import { sumCounters } from "../figures/index.ts";
import type { RuntimeView } from "../runtime-view.ts";
import type {
  AwaitedBody,
  OverviewBody,
  OverviewRowBody,
  SilentModelBody,
  UsedUpBudgetBody,
} from "../wire-history.ts";

/** What the overview is made of. */
export type OverviewView = Pick<
  RuntimeView,
  "snapshot" | "tree" | "findNode" | "activity" | "awaitedModels" | "modelAnsweredMs"
> & { readonly observer: Pick<RuntimeView["observer"], "nowMs"> };

/**
 * Makes the body of `GET /overview`: a row for each agent, pool and keyed agent, in tree order.
 *
 * @param view The running tree.
 * @param names Those that have a row, in this order; what else is in the tree is not looked at then. Default all.
 */
export function overviewBody(view: OverviewView, names?: readonly string[]): OverviewBody {
  const nodes =
    names === undefined
      ? [...nodesWithMailbox(view.tree())]
      : [...new Set(names)].flatMap((name) => ownRowOf(view.findNode(name)?.node) ?? []);
  const snapshot = view.snapshot(names === undefined ? undefined : nodes.flatMap(countedNames));
  const agents = nodes.map((node) => rowOf(node, view, snapshot));
  const silent = silentModels(view);
  const usedUp = snapshot.budgets.filter(isUsedUp).slice(0, budgetCountMax);
  return {
    timestamp: view.observer.nowMs / 1000,
    agents,
    ...(silent.length === 0 ? {} : { models_silent: silent }),
    ...(usedUp.length === 0 ? {} : { budgets_used_up: usedUp.map(usedUpBody) }),
  };
}

/** A model that has answered nobody for so long is silent, seconds. */
const silentSecondsMin = 30;

/** Of many agents that wait for the same model some may have got an answer meanwhile: then it is only slow. */
function silentModels(view: OverviewView): SilentModelBody[] {
  const waiting = new Map<string, { since: number; agents: number }>();
  for (const { name, sinceMs } of view.awaitedModels()) {
    const found = waiting.get(name) ?? { since: sinceMs / 1000, agents: 0 };
    found.since = Math.min(found.since, sinceMs / 1000);
    found.agents += 1;
    waiting.set(name, found);
  }
  const now = view.observer.nowMs / 1000;
  return [...waiting].flatMap(([name, each]): SilentModelBody[] => {
    const since = Math.max(each.since, (view.modelAnsweredMs(name) ?? 0) / 1000);
    return now - since < silentSecondsMin ? [] : [{ name, since, agents: each.agents }];
  });
}

/** Makes what an answer that is waited for is in a body. */
export function awaitedBody(awaits: AwaitedCall | null): { readonly waits_for?: AwaitedBody } {
  if (awaits === null) return {};
  return { waits_for: { kind: awaits.kind, name: awaits.name, since: awaits.sinceMs / 1000 } };
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
  const own = ownRowOf(node);
  if (own !== undefined) yield own;
  if (node.kind === "supervisor") for (const child of node.children) yield* nodesWithMailbox(child);
}

function ownRowOf(node: TreeNode | undefined): RowNode | undefined {
  if (node === undefined) return undefined;
  if (node.kind === "agent") return { kind: "agent", node, suspension: node.suspension };
  const group = node.pool ?? node.keyed;
  if (group === undefined) return undefined;
  return {
    kind: node.pool === undefined ? "keyed" : "pool",
    node,
    suspension: group.suspension,
  };
}

/** Whose counters are in the row of a node. */
function countedNames({ node }: RowNode): string[] {
  const members = node.kind === "supervisor" ? node.children : [];
  return [node.name, ...members.map(({ name }) => name)];
}

/** Most characters of the reason of a suspension: `GET /agents/{name}` has all of it. */
const reasonLengthMax = 200;

/** A pool has no counters: its members have. */
function countersOf(node: RowNode["node"], snapshot: RuntimeSnapshot): AgentCounters | undefined {
  const counted = snapshot.agents[node.name];
  if (node.kind === "agent" || node.pool === undefined || counted !== undefined) return counted;
  const members = node.children.flatMap((child) => snapshot.agents[child.name] ?? []);
  return members.reduce<AgentCounters | undefined>(
    (sum, each) => (sum === undefined ? each : sumCounters(sum, each)),
    undefined,
  );
}

function rowOf(
  { kind, node, suspension }: RowNode,
  view: OverviewView,
  snapshot: RuntimeSnapshot,
): OverviewRowBody {
  const { name, status, restartCount, uptimeMs } = node;
  const { className, atHand, mailboxDepth, oldestMs, awaitsStore, awaits } = view.activity(name);
  const [first] = atHand.toSorted((a, b) => a.sinceMs - b.sinceMs);
  const counters = countersOf(node, snapshot);
  return {
    name,
    kind,
    class: className,
    status,
    restart_count: restartCount,
    uptime_seconds: Math.round(uptimeMs) / 1000,
    suspended_since: suspension === null ? null : suspension.sinceMs / 1000,
    suspend_category: suspension?.category ?? null,
    ...(suspension === null
      ? {}
      : {
          suspend_reason: suspension.reason.slice(0, reasonLengthMax),
          suspended_by: suspension.initiatedBy,
        }),
    mailbox_depth: mailboxDepth,
    oldest_timestamp: oldestMs === null ? null : oldestMs / 1000,
    at_hand_count: atHand.length,
    at_hand: first === undefined ? null : { type: first.type, since: first.sinceMs / 1000 },
    ...(awaitsStore ? { waits_for_state: true } : {}),
    ...awaitedBody(awaits),
    messages_handled: counters?.messagesHandled ?? 0,
    avg_latency_ms: counters?.avgLatencyMs ?? 0,
    latency_sum_ms: counters?.latencySumMs ?? 0,
    latency_count: counters?.latencyCount ?? 0,
    errors: counters?.errors ?? 0,
    tokens_in: counters?.tokensIn ?? 0,
    tokens_out: counters?.tokensOut ?? 0,
    cost_usd: counters?.costUsd ?? 0,
    last_model: counters?.lastModel ?? null,
  };
}
