import type { JsonObject } from "../../core/index.ts";
import type { RouteLimitRule } from "../../gateway-settings/index.ts";
import type { MiddlewareRef } from "../chain/index.ts";
import type { RecipientConfig } from "../dispatch/index.ts";

/** One agent, or one capability, that other agents may use. */
export interface PublishedAgentConfig extends RecipientConfig {
  /** Name of the tool, and of the agent in its card: letters, digits, `_`, `.` and `-`. Default that of the agent. */
  readonly name?: string | undefined;
  /** What it does: models choose by this text. Default its name in a sentence. */
  readonly description?: string | undefined;
  /** `stream` for an agent that answers in parts. Default `call`. */
  readonly mode?: "call" | "stream" | undefined;
  /** Type of the messages that it is sent. Default `http.request`. */
  readonly type?: string | undefined;
  /** Member of the payload that holds what is sent as text over A2A. Default `text`. */
  readonly textField?: string | undefined;
  /** JSON Schema of the payload. Default what the agent's class declares, else any object. */
  readonly request?: JsonObject | undefined;
  /** JSON Schema of the reply, or of each part. Default what the agent's class declares, else any object. */
  readonly response?: JsonObject | undefined;
}

/** Bounds of what a gateway keeps for the clients of published agents. */
export interface PublishLimits {
  /** Sessions over MCP; beyond it the one that is idle for longest ends. 1 to 100 000. Default 1 000. */
  readonly sessionCountMax: number;
  /** Time without a request after which a session ends, milliseconds. Default 1 800 000. */
  readonly sessionIdleTimeoutMs: number;
  /** Tasks over A2A, running and done; beyond it the one that was done first is forgotten. 1 to 100 000. Default 1 000. */
  readonly taskCountMax: number;
  /** Longest time of a task, milliseconds. Default 3 600 000. */
  readonly taskTimeoutMs: number;
  /** How long a task is kept when it is done, milliseconds. Default 3 600 000. */
  readonly taskAgeMsMax: number;
}

/** Agents of a gateway that other agents may use. */
export interface PublishOptions {
  /** At least one. */
  readonly agents: readonly PublishedAgentConfig[];
  /** Path of the Model Context Protocol; false where it is not spoken. Default `/mcp`. */
  readonly mcpPath?: string | false | undefined;
  /** Path of the Agent2Agent protocol; false where it is not spoken. Default `/a2a`. */
  readonly a2aPath?: string | false | undefined;
  /** Where clients reach the gateway, for the cards: `https://agents.example.com`. Default what they asked for. */
  readonly url?: string | undefined;
  /** Name of the whole in its card, and of the server over MCP. Default the gateway's. */
  readonly name?: string | undefined;
  /** What the whole does. Default a list of its agents. */
  readonly description?: string | undefined;
  /** Version of what is published. Default `1.0.0`. */
  readonly version?: string | undefined;
  /** Around what is published, inside the gateway's own middleware; outermost first. Default none. */
  readonly middleware?: readonly MiddlewareRef[] | undefined;
  /** How many requests of a client are taken. Default any number. */
  readonly rateLimit?: RouteLimitRule | undefined;
  /** Default as `PublishLimits` says. */
  readonly limits?: Partial<PublishLimits> | undefined;
}

/** The default of each limit. */
export const publishLimitDefaults: PublishLimits = {
  sessionCountMax: 1_000,
  sessionIdleTimeoutMs: 1_800_000,
  taskCountMax: 1_000,
  taskTimeoutMs: 3_600_000,
  taskAgeMsMax: 3_600_000,
};

/** Where MCP is spoken when nothing else is said. */
export const mcpPathDefault = "/mcp";
/** Where A2A is spoken when nothing else is said. */
export const a2aPathDefault = "/a2a";
