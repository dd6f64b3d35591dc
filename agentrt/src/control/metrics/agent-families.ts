import type { TreeNode } from "../../core/index.ts";
import type { RuntimeSnapshot } from "../../runtime/index.ts";
import { agentCountMax, type Counters } from "../observing/index.ts";
import { type Family, histogramSamples, type Labels, type Sample } from "./family-text.ts";
import { modelFamilies } from "./model-families.ts";

interface CounterFamily {
  readonly name: string;
  readonly help: string;
  readonly valueOf: (counters: Counters) => number;
}

const messageFamilies: readonly CounterFamily[] = [
  {
    name: "agentrt_messages_handled_total",
    help: "Messages that agents handled.",
    valueOf: ({ messagesHandled }) => messagesHandled,
  },
  {
    name: "agentrt_messages_sent_total",
    help: "Messages that agents sent.",
    valueOf: ({ messagesSent }) => messagesSent,
  },
  {
    name: "agentrt_agent_errors_total",
    help: "Errors of agents.",
    valueOf: ({ errors }) => errors,
  },
  {
    name: "agentrt_agent_restarts_total",
    help: "Restarts of agents.",
    valueOf: ({ restarts }) => restarts,
  },
];

/** What is counted. */
interface Counted {
  readonly snapshot: RuntimeSnapshot;
  /** The agents of it as they have series: at most `agentCountMax` and the sum of the others. */
  readonly agents: readonly (readonly [string, Counters])[];
}

/**
 * Makes the families of agents, their models, their budgets, and of messages that nobody handled.
 *
 * @param counted The counters.
 * @param root The running tree.
 * @param oldestMsOf Says when the oldest message was sent that waits for an agent; null for none.
 * @param nowMs Wall clock.
 */
// oxlint-disable-next-line max-params -- the pictures that one scrape is made of
export function agentFamilies(
  { snapshot, agents }: Counted,
  root: TreeNode,
  oldestMsOf: (agent: string) => number | null,
  nowMs: number,
): Family[] {
  const labelsOf = (agent: string): Labels => [["agent", agent]];
  return [
    ...messageFamilies.map(({ name, help, valueOf }): Family => {
      const samples = agents.map(([agent, counters]) => ({
        labels: labelsOf(agent),
        value: valueOf(counters),
      }));
      return { name, type: "counter", help, samples };
    }),
    {
      name: "agentrt_agent_failures_total",
      type: "counter",
      help: "Errors of agents by code, at most 20 codes an agent.",
      samples: agents.flatMap(([agent, { errorsByCode }]) =>
        Object.entries(errorsByCode).map(([code, value]): Sample => {
          return { labels: [...labelsOf(agent), ["code", code]], value };
        }),
      ),
    },
    {
      name: "agentrt_message_latency_ms",
      type: "summary",
      help: "Milliseconds in handlers, of the first 16 messages and of every sixteenth.",
      samples: agents.flatMap(([agent, { latencySumMs, latencyCount }]) => [
        { suffix: "_sum", labels: labelsOf(agent), value: latencySumMs },
        { suffix: "_count", labels: labelsOf(agent), value: latencyCount },
      ]),
    },
    timesFamily(agents, {
      name: "agentrt_agent_handle_duration_seconds",
      help: "Time in handlers, of the first 16 messages and of every sixteenth.",
      timesOf: ({ handleTimes }) => handleTimes,
    }),
    timesFamily(agents, {
      name: "agentrt_agent_first_chunk_seconds",
      help: "Time until the first chunk of a streamed reply.",
      timesOf: ({ firstChunkTimes }) => firstChunkTimes,
    }),
    ...modelFamilies(agents, snapshot),
    ...gauges(root, oldestMsOf, nowMs),
    ...budgetFamilies(snapshot),
    {
      name: "agentrt_messages_dropped_total",
      type: "counter",
      help: "Messages that nobody handled, by reason.",
      samples: Object.entries(snapshot.dropped).map(([reason, value]) => ({
        labels: [["reason", reason]],
        value,
      })),
    },
  ];
}

function timesFamily(
  agents: readonly (readonly [string, Counters])[],
  {
    name,
    help,
    timesOf,
  }: {
    readonly name: string;
    readonly help: string;
    readonly timesOf: (counters: Counters) => Counters["handleTimes"];
  },
): Family {
  const samples = agents.flatMap(([agent, counters]) => {
    const times = timesOf(counters);
    return times === null ? [] : histogramSamples([["agent", agent]], times);
  });
  return { name, type: "histogram", help, samples };
}

/** What messages wait for: an agent, a pool, a keyed agent. */
interface Queue {
  readonly name: string;
  readonly status: string;
  readonly mailboxDepth: number;
}

function gauges(
  root: TreeNode,
  oldestMsOf: (agent: string) => number | null,
  nowMs: number,
): Family[] {
  const queues = [...queuesOf(root)].slice(0, agentCountMax);
  const gauge = (name: string, help: string, valueOf: (queue: Queue) => number): Family => ({
    name,
    type: "gauge",
    help,
    samples: queues.map((queue) => ({ labels: [["agent", queue.name]], value: valueOf(queue) })),
  });
  return [
    {
      name: "agentrt_agent_status",
      type: "gauge",
      help: "1 for the status that an agent has.",
      samples: queues.map(({ name, status }) => ({
        labels: [
          ["agent", name],
          ["status", status],
        ],
        value: 1,
      })),
    },
    gauge(
      "agentrt_agent_mailbox_depth",
      "Messages that wait for an agent.",
      ({ mailboxDepth }) => mailboxDepth,
    ),
    gauge(
      "agentrt_agent_mailbox_oldest_seconds",
      "How long the oldest message has waited; 0 when none waits.",
      ({ name, mailboxDepth }) => {
        const oldestMs = mailboxDepth === 0 ? null : oldestMsOf(name);
        return oldestMs === null ? 0 : Math.max(0, nowMs - oldestMs) / 1000;
      },
    ),
  ];
}

function budgetFamilies({ budgets }: RuntimeSnapshot): Family[] {
  const left = (
    name: string,
    help: string,
    leftOf: (budget: RuntimeSnapshot["budgets"][number]) => number | null,
  ): Family => ({
    name,
    type: "gauge",
    help,
    samples: budgets.slice(0, agentCountMax).flatMap((budget) => {
      const value = leftOf(budget);
      const labels: Labels = [
        ["name", budget.name],
        ["per", budget.per],
      ];
      return value === null ? [] : [{ labels, value }];
    }),
  });
  return [
    left(
      "agentrt_budget_left_usd",
      "What is left of a budget in US dollars.",
      ({ limitUsd, spentUsd, reservedUsd }) =>
        limitUsd === null ? null : Math.max(0, limitUsd - spentUsd - reservedUsd),
    ),
    left(
      "agentrt_budget_left_tokens",
      "What is left of a budget in tokens.",
      ({ limitTokens, spentTokens, reservedTokens }) =>
        limitTokens === null ? null : Math.max(0, limitTokens - spentTokens - reservedTokens),
    ),
  ];
}

function* queuesOf(node: TreeNode): Generator<Queue> {
  if (node.kind === "agent") yield node;
  else {
    const { name, status, pool, keyed } = node;
    const group = pool ?? keyed;
    if (group !== undefined) yield { name, status, mailboxDepth: group.mailboxDepth };
    for (const child of node.children) yield* queuesOf(child);
  }
}
