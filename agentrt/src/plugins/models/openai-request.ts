import type { OpenAI } from "openai";
import type { ModelMessage, ModelRequest } from "../../core/index.ts";

/**
 * Puts a request into the words of the Chat Completions API.
 *
 * @param request What is asked.
 * @param options.maxTokens The provider's most tokens of an answer; without it the server's own.
 * @param options.isVendor True for the vendor's own server, whose newer models refuse `max_tokens`; other servers know
 *   no other name for it.
 * @returns The body, without `stream`.
 */
export function openAiRequest(
  request: ModelRequest,
  options: { readonly maxTokens: number | undefined; readonly isVendor: boolean },
): OpenAI.ChatCompletionCreateParamsNonStreaming {
  const { model, messages, tools, temperature, maxTokens = options.maxTokens } = request;
  const limit = options.isVendor ? "max_completion_tokens" : "max_tokens";
  return {
    model,
    messages: messages.map(openAiMessage),
    ...(maxTokens === undefined ? {} : { [limit]: maxTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, inputSchema }) => ({
            type: "function" as const,
            function: {
              name,
              ...(description === undefined ? {} : { description }),
              parameters: inputSchema,
            },
          })),
        }),
  };
}

function openAiMessage(message: ModelMessage): OpenAI.ChatCompletionMessageParam {
  const { content } = message;
  if (message.role === "tool") return { role: "tool", tool_call_id: message.toolCallId, content };
  if (message.role !== "assistant") return { role: message.role, content };
  const calls = message.toolCalls ?? [];
  if (calls.length === 0) return { role: "assistant", content };
  return {
    role: "assistant",
    content: content === "" ? null : content,
    tool_calls: calls.map(({ id, name, input }) => ({
      id,
      type: "function",
      function: { name, arguments: JSON.stringify(input) },
    })),
  };
}
