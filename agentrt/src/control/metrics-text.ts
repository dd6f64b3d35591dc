import type { AgentNode, TreeNode } from "../core/index.ts";
import type { RuntimeSnapshot } from "../runtime/index.ts";

/** The content type of `metricsText`: the text format of Prometheus, version 0.0.4. */
export const metricsContentType = "text/plain; version=0.0.4; charset=utf-8";

type Labels = readonly (readonly [name: string, value: string])[];

interface Sample {
  /** Behind the name of the family. Default none. */
  readonly suffix?: string;
  readonly labels: Labels;
  readonly value: number;
}

interface Family {
  readonly name: string;
  readonly type: "counter" | "gauge" | "summary";
  readonly help: string;
  readonly samples: readonly Sample[];
}

/**
 * Writes counters as Prometheus scrapes them. A family without samples is left out.
 *
 * @param snapshot The counters.
 * @param root The running tree, for the statuses of agents.
 * @returns Lines; the last one ends with a line feed.
 */
export function metricsText(snapshot: RuntimeSnapshot, root: TreeNode): string {
  return families(snapshot, root)
    .filter(({ samples }) => samples.length > 0)
    .map(familyText)
    .join("");
}

type Counters = RuntimeSnapshot["agents"][string];

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

/** Of agents that used a model; all of it is counted for the one that was used last. */
const modelFamilies: readonly CounterFamily[] = [
  {
    name: "agentrt_llm_tokens_in_total",
    help: "Tokens that models read, by the model that was used last.",
    valueOf: ({ tokensIn }) => tokensIn,
  },
  {
    name: "agentrt_llm_tokens_out_total",
    help: "Tokens that models wrote, by the model that was used last.",
    valueOf: ({ tokensOut }) => tokensOut,
  },
  {
    name: "agentrt_llm_cost_usd_total",
    help: "What models cost in US dollars, by the model that was used last.",
    valueOf: ({ costUsd }) => costUsd,
  },
];

function families(snapshot: RuntimeSnapshot, root: TreeNode): Family[] {
  const agents = Object.entries(snapshot.agents);
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
      name: "agentrt_message_latency_ms",
      type: "summary",
      help: "Milliseconds in handlers, of the first 16 messages and of every sixteenth.",
      samples: agents.flatMap(([agent, { latencySumMs, latencyCount }]) => [
        { suffix: "_sum", labels: labelsOf(agent), value: latencySumMs },
        { suffix: "_count", labels: labelsOf(agent), value: latencyCount },
      ]),
    },
    ...modelFamilies.map(({ name, help, valueOf }): Family => {
      const samples = agents.flatMap(([agent, counters]) => {
        if (counters.lastModel === null) return [];
        const labels: Labels = [...labelsOf(agent), ["model", counters.lastModel]];
        return [{ labels, value: valueOf(counters) }];
      });
      return { name, type: "counter", help, samples };
    }),
    ...gauges(root),
    {
      name: "agentrt_runtime_uptime_seconds",
      type: "gauge",
      help: "Seconds since the runtime started.",
      samples: [{ labels: [], value: snapshot.uptimeMs / 1000 }],
    },
  ];
}

function gauges(root: TreeNode): Family[] {
  const nodes = [...agentNodes(root)];
  return [
    {
      name: "agentrt_agent_status",
      type: "gauge",
      help: "1 for the status that an agent has.",
      samples: nodes.map(({ name, status }) => ({
        labels: [
          ["agent", name],
          ["status", status],
        ],
        value: 1,
      })),
    },
    {
      name: "agentrt_agent_mailbox_depth",
      type: "gauge",
      help: "Messages that wait for an agent.",
      samples: nodes.map(({ name, mailboxDepth }) => ({
        labels: [["agent", name]],
        value: mailboxDepth,
      })),
    },
  ];
}

function* agentNodes(node: TreeNode): Generator<AgentNode> {
  if (node.kind === "agent") yield node;
  else for (const child of node.children) yield* agentNodes(child);
}

function familyText({ name, type, help, samples }: Family): string {
  const lines = samples.map(({ suffix = "", labels, value }) => {
    const pairs = labels.map(([label, text]) => `${label}="${escaped(text)}"`);
    return `${name}${suffix}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}\n`;
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}

/** A label value, as the text format writes it. */
function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
