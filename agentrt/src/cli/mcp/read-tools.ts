import type { JsonObject, JsonValue } from "../../core/index.ts";
import { type ArgumentSchema, type ControlTool, textIn } from "./control-tool.ts";

const object = { type: "object" } as const;
const list = { type: "array", items: object } as const;

/** The argument of every tool about one agent. */
export const agentArgument: ArgumentSchema = {
  type: "string",
  description: "Name of an agent, a pool, a keyed agent, or a key (ticket/4711)",
};

/** The path of an agent's routes. */
export function agentRoute(input: JsonObject): string {
  return `/agents/${encodeURIComponent(textIn(input, "agent").toWellFormed())}`;
}

/** A body as the structured content of a result: an object. */
export function asObject(body: JsonValue): JsonObject {
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
  return isObject ? body : { value: body };
}

const eventCountDefault = 50;
const waitSecondsDefault = 0.5;

/** Tools that only look. */
export const readTools: readonly ControlTool[] = [
  {
    name: "list_agents",
    title: "List agents",
    description: "All agents of the running topology with their statuses, capabilities and uptimes",
    kind: "read",
    input: {},
    output: { agents: list },
    run: async (_input, port) => ({ agents: await port.get("/agents") }),
  },
  {
    name: "describe_agent",
    title: "Describe an agent",
    description:
      "One agent: status, the message it handles now and since when, what waits in its mailbox, restarts, suspension, last crash",
    kind: "read",
    input: { agent: agentArgument },
    required: ["agent"],
    output: { name: { type: "string" }, status: { type: "string" } },
    run: async (input, port) => asObject(await port.get(agentRoute(input))),
  },
  {
    name: "overview",
    title: "Overview",
    description:
      "A row for each agent: status, what it handles and since when, what waits and for how long, errors, latency, tokens, cost",
    kind: "read",
    input: {},
    output: { agents: list },
    run: async (_input, port) => asObject(await port.get("/overview")),
  },
  {
    name: "agent_state",
    title: "Show the state of an agent",
    description: "The state of an agent or a key, without what looks like a secret",
    kind: "read",
    input: { agent: agentArgument },
    required: ["agent"],
    output: { agent: { type: "string" } },
    run: async (input, port) => asObject(await port.get(`${agentRoute(input)}/state`)),
  },
  {
    name: "logs",
    title: "Log lines",
    description: "The latest log lines, of one agent or of all",
    kind: "read",
    input: {
      agent: { ...agentArgument, description: "Only of this agent; default all" },
      limit: {
        type: "integer",
        minimum: 1,
        maximum: 1000,
        description: "At most this many; default 100",
      },
    },
    output: { lines: list },
    run: async (input, port) => {
      const route = input["agent"] === undefined ? "/logs" : `${agentRoute(input)}/logs`;
      return asObject(await port.get(`${route}${query({ limit: input["limit"] ?? 100 })}`));
    },
  },
  {
    name: "topology",
    title: "Show the tree",
    description:
      "The supervision tree as it runs: supervisors, agents, statuses, restarts, circuits",
    kind: "read",
    input: {},
    output: { name: { type: "string" }, type: { type: "string" }, children: list },
    run: async (_input, port) => asObject(await port.get("/topology")),
  },
  {
    name: "health",
    title: "Health",
    description: "Whether all of the topology runs, and what failed for good or cannot be saved",
    kind: "read",
    input: {},
    output: { status: { type: "string" } },
    run: async (_input, port) => asObject(await port.get("/health")),
  },
  {
    name: "metrics",
    title: "Counters",
    description:
      "Messages, errors, restarts, latency, tokens and cost by agent and model and in all; budgets of models; the latest restarts",
    kind: "read",
    input: {},
    output: {
      agents: object,
      total_messages: { type: "integer" },
      total_cost_usd: { type: "number" },
      models: object,
    },
    run: async (_input, port) => asObject(await port.get("/snapshot")),
  },
  {
    name: "mailbox",
    title: "What waits for an agent",
    description:
      "The messages that wait for an agent, in the order in which they are served, without payloads",
    kind: "read",
    input: {
      agent: agentArgument,
      limit: {
        type: "integer",
        minimum: 0,
        maximum: 10_000,
        description: "At most this many; default 100",
      },
    },
    required: ["agent"],
    output: { agent: { type: "string" }, depth: { type: "integer" }, messages: list },
    run: async (input, port) =>
      asObject(await port.get(`${agentRoute(input)}/mailbox${query({ limit: input["limit"] })}`)),
  },
  {
    name: "dead_letters",
    title: "Messages that nobody handled",
    description:
      "The latest messages that were given up, and why, without payloads; counts since the start",
    kind: "read",
    input: {},
    output: { counts: object, dead_letters: list },
    run: async (_input, port) => asObject(await port.get("/dead-letters")),
  },
  {
    name: "agent_history",
    title: "What happened to an agent",
    description:
      "The latest 100 starts, stops, crashes with their causes and places, suspensions with who and why",
    kind: "read",
    input: { agent: agentArgument },
    required: ["agent"],
    output: { agent: { type: "string" }, history: list },
    run: async (input, port) => asObject(await port.get(`${agentRoute(input)}/history`)),
  },
  {
    name: "crashes",
    title: "List crashes",
    description: "The latest crashes of all agents, with ids, reasons and places",
    kind: "read",
    input: {},
    output: { crashes: list },
    run: async (_input, port) => asObject(await port.get("/crashes")),
  },
  {
    name: "crash",
    title: "Show a crash",
    description:
      "One crash: error with causes and stack, and the message at hand without its payload",
    kind: "read",
    input: { id: { type: "string", description: "Id of the crash, from crashes" } },
    required: ["id"],
    output: { id: { type: "string" }, agent: { type: "string" }, error: object },
    run: async (input, port) =>
      asObject(
        await port.get(`/crashes/${encodeURIComponent(textIn(input, "id").toWellFormed())}`),
      ),
  },
  {
    name: "traces",
    title: "List traces",
    description:
      "The latest traces, newest first: where each began, how long it took, and which agents were in it",
    kind: "read",
    input: {
      agent: { ...agentArgument, description: "Only with spans of this agent; default all" },
      status: { type: "string", enum: ["ok", "error"], description: "Only such traces" },
      min_duration: {
        type: "number",
        minimum: 0,
        description: "Only those that took so many seconds",
      },
      limit: {
        type: "integer",
        minimum: 1,
        maximum: 200,
        description: "At most this many; default 50",
      },
      before: { type: "string", description: "The next of an earlier list, to go on there" },
    },
    output: { traces: list, next: { type: ["string", "null"] } },
    run: async ({ agent, status, min_duration, limit, before }, port) =>
      asObject(await port.get(`/traces${query({ agent, status, min_duration, limit, before })}`)),
  },
  {
    name: "trace",
    title: "Show a trace",
    description:
      "The spans of one trace: messages, handling, model calls, tools, with times and errors",
    kind: "read",
    input: { id: { type: "string", description: "Trace id, from events, crashes or log lines" } },
    required: ["id"],
    output: { trace_id: { type: "string" }, spans: list },
    run: async (input, port) =>
      asObject(await port.get(`/traces/${encodeURIComponent(textIn(input, "id").toWellFormed())}`)),
  },
  {
    name: "events",
    title: "Events",
    description:
      "The latest events of the tree (status changes, restarts, suspensions), and those of a short time from now on",
    kind: "read",
    input: {
      agent: { type: "string", description: "Only of this agent; several separated by commas" },
      type: {
        type: "string",
        description: "Only these types, such as agent.crashed or supervisor.*, separated by commas",
      },
      recent: {
        type: "integer",
        minimum: 0,
        maximum: 1000,
        description: "How many of the past at most; default 50",
      },
      wait_seconds: {
        type: "number",
        minimum: 0.1,
        maximum: 30,
        description: "How long to watch; default 0.5",
      },
    },
    output: { events: list },
    run: async ({ agent, type, recent = eventCountDefault, wait_seconds: wait }, port) => {
      const waitMs = Number(wait ?? waitSecondsDefault) * 1000;
      const route = `/events${query({ agent, type, recent })}`;
      return { events: await port.events(route, { waitMs, countMax: 1000 }) };
    },
  },
];

/** A query string of what was given. */
export function query(values: { readonly [name: string]: JsonValue | undefined }): string {
  const given = Object.entries(values).flatMap(([name, value]) =>
    typeof value === "string" || typeof value === "number" ? [[name, `${value}`]] : [],
  );
  return given.length === 0 ? "" : `?${new URLSearchParams(given).toString()}`;
}
