import { z } from "zod";
import { fields, type NodeFinding, type TreeView } from "../../topology/index.ts";
import { checkRecipient } from "./check-references.ts";
import { middleware } from "./listener-fields.ts";
import { rateLimitField, routeLimit } from "./route-bounds-fields.ts";

const { anyMapping, flag, list, mapping, oneOf, seconds, text, textLike } = fields;
const { wholeMilliseconds, wholeNumber } = fields;

const path = () => textLike(/^\/[^\s?#{}]*$/, "a path that begins with /, without placeholders");
const nameWanted = "a name of up to 128 letters, digits, _, . and -";

const agentWanted = "the name of an agent, or a mapping with agent or capability";

const publishedAgent = () =>
  z.union(
    [
      text("the name of an agent").transform((agent) => ({ agent })),
      mapping({
        agent: text("the name of an agent").optional(),
        capability: text("a capability").optional(),
        name: textLike(/^[A-Za-z0-9_.-]{1,128}$/, nameWanted).optional(),
        description: text().optional(),
        mode: oneOf(["call", "stream"], "lower").optional(),
        type: text("a message type").optional(),
        text_field: text("the name of a member").optional(),
        request: anyMapping().optional(),
        response: anyMapping().optional(),
      }).transform(({ text_field: textField, ...agent }) => ({ ...agent, textField })),
    ],
    { error: agentWanted },
  );

/** The key `publish` of a gateway. */
export const publishField = () =>
  mapping({
    agents: list(publishedAgent(), "a list of agents").min(1, { error: "at least one agent" }),
    mcp: flag().default(true),
    mcp_path: path().default("/mcp"),
    a2a: flag().default(true),
    a2a_path: path().default("/a2a"),
    url: textLike(/^https?:\/\/[^\s/?#]+$/, "a URL without a path").optional(),
    name: text().optional(),
    description: text().optional(),
    version: text().optional(),
    middleware: middleware().nullish(),
    rate_limit: rateLimitField().optional(),
    max_sessions: wholeNumber({ min: 1, max: 100_000 }).default(1_000),
    session_timeout: seconds({ isZeroAllowed: false }).default(1_800),
    max_tasks: wholeNumber({ min: 1, max: 100_000 }).default(1_000),
    task_timeout: seconds({ isZeroAllowed: false }).default(3_600),
    task_age: seconds({ isZeroAllowed: false }).default(3_600),
  }).transform((given) => ({
    agents: given.agents,
    mcpPath: given.mcp ? given.mcp_path : (false as const),
    a2aPath: given.a2a ? given.a2a_path : (false as const),
    url: given.url,
    name: given.name,
    description: given.description,
    version: given.version,
    middleware: given.middleware ?? [],
    rateLimit: given.rate_limit === undefined ? undefined : routeLimit(given.rate_limit),
    limits: {
      sessionCountMax: given.max_sessions,
      sessionIdleTimeoutMs: wholeMilliseconds(given.session_timeout),
      taskCountMax: given.max_tasks,
      taskTimeoutMs: wholeMilliseconds(given.task_timeout),
      taskAgeMsMax: wholeMilliseconds(given.task_age),
    },
  }));

/** What the key `publish` says. */
export type PublishSettings = z.output<ReturnType<typeof publishField>>;

/**
 * Checks what a gateway publishes: agents that are there, and each name once.
 *
 * @param publish Of the gateway.
 * @param tree Names and nodes.
 */
export function* checkPublish(
  publish: PublishSettings | undefined,
  tree: TreeView,
): Generator<NodeFinding> {
  if (publish === undefined) return;
  const at = ["publish", "agents"];
  const names: string[] = [];
  for (const [index, agent] of publish.agents.entries()) {
    yield* checkRecipient(agent, [...at, index], tree);
    const given = "name" in agent ? agent.name : undefined;
    const capability = "capability" in agent ? agent.capability : undefined;
    const name = (given ?? agent.agent ?? capability ?? "").replaceAll(/[^A-Za-z0-9_.-]/g, "_");
    if (names.includes(name))
      yield {
        path: [...at, index],
        message: `"${name}" is published twice: give one another name`,
      };
    names.push(name);
  }
  if (publish.mcpPath === publish.a2aPath && publish.mcpPath !== false)
    yield { path: ["publish", "a2a_path"], message: "mcp_path and a2a_path are the same" };
  if (publish.mcpPath === false && publish.a2aPath === false)
    yield { path: ["publish"], message: "mcp and a2a are both false, wanted one of them" };
}

/** What each key is for. */
export const publishKeys = {
  publish: "Agents that agents elsewhere may use, as tools over MCP and as agents over A2A.",
  "publish.agents":
    "Agents: a name, or a mapping with agent or capability and what clients learn of it.",
  "publish.agents.*.agent": "The agent; this or capability.",
  "publish.agents.*.capability":
    "What the agent must declare: each call goes to one that does, chosen at random.",
  "publish.agents.*.name": "Name of the tool and of the agent; by default the agent's.",
  "publish.agents.*.description": "What it does: models choose by this text.",
  "publish.agents.*.mode": "call waits for the reply, stream hands on each part.",
  "publish.agents.*.type": "Type of the messages that it is sent; by default http.request.",
  "publish.agents.*.text_field":
    "Member of the payload that holds what is sent as text over A2A; by default text.",
  "publish.agents.*.request":
    "JSON Schema of the payload; by default what the agent's class declares.",
  "publish.agents.*.response":
    "JSON Schema of the reply, or of each part; by default what the agent's class declares.",
  "publish.mcp": "Whether the Model Context Protocol is spoken; needs @modelcontextprotocol/sdk.",
  "publish.mcp_path": "Path of the Model Context Protocol.",
  "publish.a2a": "Whether the Agent2Agent protocol is spoken.",
  "publish.a2a_path": "Path of the Agent2Agent protocol; each agent is below it, by its name.",
  "publish.url":
    "Where clients reach the gateway, for the agent cards; by default what they asked for.",
  "publish.name": "Name of the whole; by default the gateway's.",
  "publish.description": "What the whole does; by default what its agents do.",
  "publish.version": "Version of what is published.",
  "publish.middleware": "Middleware of what is published.",
  "publish.rate_limit": "How many requests of a client are taken; more get 429.",
  "publish.rate_limit.requests": "Requests in any stretch of that time.",
  "publish.rate_limit.per": "The time: seconds, or second, minute, hour or day.",
  "publish.rate_limit.key": "Whose requests are counted together, as for a route.",
  "publish.max_sessions": "Sessions over MCP at most; the one that is idle for longest makes room.",
  "publish.session_timeout": "Seconds without a request after which a session ends.",
  "publish.max_tasks": "Tasks over A2A at most; the one that was done first makes room.",
  "publish.task_timeout": "Seconds that a task may take.",
  "publish.task_age": "Seconds that a task is kept when it is done.",
} as const;
