import type { JsonObject } from "../values/index.ts";
import type { ModelMessage, ModelTool, ModelToolCall } from "../llm/index.ts";
import type { ToolResult } from "./tool-source.ts";

/** A tool that an agent can use. */
export interface ToolDescription {
  /** Full name, for example `mcp://files/read`. */
  readonly name: string;
  /** The server that offers it. */
  readonly server: string;
  readonly description: string | undefined;
  /** JSON Schema of the arguments. */
  readonly inputSchema: JsonObject;
}

/** How a tool is used. */
export interface ToolOptions {
  /** Upper bound on the wait for the answer, 1 to 2_147_483_647; default 60_000. */
  readonly timeoutMs?: number | undefined;
  /**
   * Ends the wait with AGENTRT_TOOL_CANCELLED. The signal of the message at hand does so, too, unless this is null.
   */
  readonly signal?: AbortSignal | null | undefined;
}

/**
 * The tools of the runtime's tool servers, as an agent sees them: `this.tools`.
 *
 * @example
 * const { content } = await this.tools.call("mcp://files/read", { path: "notes.txt" });
 *
 * @example
 * // The loop of an agent whose model uses tools.
 * const messages: ModelMessage[] = [{ role: "user", content: question }];
 * for (;;) {
 *   const reply = await this.llm.chat({ messages, tools: this.tools.forModel() });
 *   messages.push(reply.message);
 *   if (reply.toolCalls === null) return { answer: reply.content };
 *   for (const toolCall of reply.toolCalls) messages.push(await this.tools.answer(toolCall));
 * }
 */
export interface Tools {
  /** @returns What the servers offer now; those of a server that cannot be reached are missing. */
  list(): ToolDescription[];
  /** @returns The same for `llm.chat`, under names that every model takes. */
  forModel(): ModelTool[];
  /**
   * Uses a tool.
   *
   * @param name Its full name, or the name a model has for it.
   * @param input The arguments: plain JSON, copied.
   * @returns What it answered.
   * @throws AGENTRT_TOOL_UNKNOWN_NAME, AGENTRT_TOOL_FAILED when the tool says so, AGENTRT_TOOL_UNAVAILABLE when its
   *   server cannot be reached, AGENTRT_TOOL_TIMEOUT, AGENTRT_TOOL_CANCELLED, AGENTRT_TOOL_INPUT_INVALID for
   *   an input that is not an object, AGENTRT_BUS_PAYLOAD_NOT_JSON, AGENTRT_AGENT_STOPPED.
   */
  call(name: string, input: JsonObject, options?: ToolOptions): Promise<ToolResult>;
  /**
   * Does what a model asked for: a failure is an answer too, which the model sees.
   *
   * @param toolCall One of a reply's `toolCalls`.
   * @returns The message that answers it, for the next `llm.chat`.
   * @throws AGENTRT_TOOL_CANCELLED, AGENTRT_AGENT_STOPPED.
   */
  answer(toolCall: ModelToolCall, options?: ToolOptions): Promise<ModelMessage>;
}
