import { type ArgumentSchema, type ControlTool, textIn } from "./control-tool.ts";
import { agentArgument, agentRoute, asObject } from "./read-tools.ts";

const reason: ArgumentSchema = { type: "string", description: "What for" };
const requested = { status: { type: "string" }, agent: { type: "string" } } as const;
const hidden = " It is asked for, not yet done, when this answers.";

/** Tools that change something. */
export const writeTools: readonly ControlTool[] = [
  {
    name: "restart_agent",
    title: "Restart an agent",
    description: `Restarts an agent behind the message at hand; it costs no restart budget.${hidden}`,
    kind: "write",
    isDestructive: true,
    input: { agent: agentArgument, reason },
    required: ["agent"],
    output: requested,
    run: async ({ agent, ...body }, port) =>
      asObject(await port.post(`${agentRoute({ agent: agent ?? "" })}/restart`, body)),
  },
  {
    name: "suspend_agent",
    title: "Suspend an agent",
    description: `Lets an agent wait behind the message at hand until it is resumed; its messages wait.${hidden}`,
    kind: "write",
    isIdempotent: true,
    input: {
      agent: agentArgument,
      reason,
      category: {
        type: "string",
        enum: ["other", "hitl_approval", "governance_pause"],
        description: "What kind of pause it is; default other",
      },
    },
    required: ["agent"],
    output: requested,
    run: async ({ agent, ...body }, port) =>
      asObject(await port.post(`${agentRoute({ agent: agent ?? "" })}/suspend`, body)),
  },
  {
    name: "drain_agent",
    title: "Drain an agent",
    description: `Lets an agent refuse new messages, finish what it has, and wait until it is resumed.${hidden}`,
    kind: "write",
    isDestructive: true,
    isIdempotent: true,
    input: { agent: agentArgument, reason },
    required: ["agent"],
    output: requested,
    run: async ({ agent, ...body }, port) =>
      asObject(await port.post(`${agentRoute({ agent: agent ?? "" })}/drain`, body)),
  },
  {
    name: "resume_agent",
    title: "Resume an agent",
    description: `Lets a suspended agent go on.${hidden}`,
    kind: "write",
    isIdempotent: true,
    input: { agent: agentArgument },
    required: ["agent"],
    output: requested,
    run: async (input, port) => asObject(await port.post(`${agentRoute(input)}/resume`, {})),
  },
  {
    name: "replay_dead_letter",
    title: "Send a message again",
    description:
      "Sends a message again that nobody handled, once, under a new id; nobody gets its reply",
    kind: "write",
    isDestructive: true,
    input: { id: { type: "string", description: "Id of the message, from dead_letters" } },
    required: ["id"],
    output: { status: { type: "string" }, agent: { type: "string" } },
    run: async (input, port) => {
      const id = encodeURIComponent(textIn(input, "id").toWellFormed());
      return asObject(await port.post(`/dead-letters/${id}/replay`, {}));
    },
  },
  {
    name: "call_agent",
    title: "Ask an agent",
    description: "Sends a message to an agent through its gateway, and waits for the reply",
    kind: "write",
    isDestructive: true,
    input: {
      agent: { type: "string", description: "Name of an agent that a gateway leads to" },
      payload: { type: "object", description: "What to ask; default {}" },
    },
    required: ["agent"],
    output: { reply: {} },
    run: async (input, port) => ({
      reply: await port.call(textIn(input, "agent"), asObject(input["payload"] ?? {})),
    }),
  },
];
