import type { Anthropic } from "@anthropic-ai/sdk";
import type { ModelMessage, ModelRequest } from "../../core/index.ts";

/** Names the answers' own content in `native`. */
export const anthropicNative = "anthropic";

/** Most tokens of an answer when nobody says: the server wants a number. */
export const maxTokensDefault = 4096;

/**
 * Puts a request into the words of the Messages API.
 *
 * @param request What is asked.
 * @param maxTokens The provider's most tokens of an answer; default 4096.
 * @returns The body, without `stream`.
 */
export function anthropicRequest(
  request: ModelRequest,
  maxTokens: number | undefined,
): Anthropic.MessageCreateParamsNonStreaming {
  const { model, messages, tools, temperature } = request;
  const system = messages
    .filter((message) => message.role === "system")
    .map((message) => message.content)
    .join("\n\n");
  return {
    model,
    max_tokens: request.maxTokens ?? maxTokens ?? maxTokensDefault,
    messages: conversation(messages),
    ...(system === "" ? {} : { system }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, inputSchema }) => ({
            name,
            ...(description === undefined ? {} : { description }),
            input_schema: inputSchema as Anthropic.Tool.InputSchema,
          })),
        }),
  };
}

function conversation(messages: readonly ModelMessage[]): Anthropic.MessageParam[] {
  const turns: Anthropic.MessageParam[] = [];
  /** Neighbouring answers to tool calls belong into one turn. */
  let results: Anthropic.ToolResultBlockParam[] | undefined;
  for (const message of messages) {
    if (message.role === "tool") {
      if (results === undefined) turns.push({ role: "user", content: (results = []) });
      results.push({
        type: "tool_result",
        tool_use_id: message.toolCallId,
        content: message.content,
        ...(message.isError === true ? { is_error: true } : {}),
      });
      continue;
    }
    results = undefined;
    if (message.role === "user") turns.push({ role: "user", content: message.content });
    if (message.role === "assistant")
      turns.push({ role: "assistant", content: assistantContent(message) });
  }
  return turns;
}

/** What the model thought goes back to it as it came. */
function assistantContent(
  message: Extract<ModelMessage, { role: "assistant" }>,
): Anthropic.ContentBlockParam[] {
  if (message.native?.provider === anthropicNative)
    return message.native.content as unknown as Anthropic.ContentBlockParam[];
  const calls = (message.toolCalls ?? []).map(({ id, name, input }) => ({
    type: "tool_use" as const,
    id,
    name,
    input,
  }));
  return message.content === "" ? calls : [{ type: "text", text: message.content }, ...calls];
}
