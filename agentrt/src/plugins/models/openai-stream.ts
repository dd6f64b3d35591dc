import type { OpenAI } from "openai";
import { type ModelChunk, modelErrors } from "../../core/index.ts";
import type { ReplySource } from "./anthropic-reply.ts";
import { openAiEnd, openAiUsage } from "./openai-reply.ts";

/** A tool call while its arguments come. */
interface OpenToolCall {
  id: string;
  name: string;
  inputText: string;
}

/**
 * Turns the chunks of the Chat Completions API into parts of an answer.
 *
 * @param chunks What the vendor's package hands on.
 * @param source Who answers.
 * @throws AGENTRT_MODEL_STREAM_CUT when no chunk says why the answer ended; AGENTRT_MODEL_TOOL_INPUT_INVALID.
 */
export async function* openAiChunks(
  chunks: AsyncIterable<OpenAI.ChatCompletionChunk>,
  source: ReplySource & { readonly model: string },
): AsyncGenerator<ModelChunk, void, undefined> {
  const { provider, prices } = source;
  const open = new Map<number, OpenToolCall>();
  let model = source.model;
  let content = "";
  let isRefused = false;
  let finishReason: string | undefined;
  let usage: OpenAI.CompletionUsage | null | undefined;
  for await (const chunk of chunks) {
    model = chunk.model ?? model;
    usage = chunk.usage ?? usage;
    const choice = chunk.choices?.[0];
    if (choice === undefined) continue;
    const { delta } = choice;
    isRefused ||= typeof delta?.refusal === "string";
    const text = delta?.content ?? delta?.refusal ?? "";
    content += text;
    if (text !== "") yield { type: "text", text };
    for (const call of delta?.tool_calls ?? []) addToolCall(open, call);
    finishReason = choice.finish_reason ?? finishReason;
  }
  if (finishReason === undefined)
    throw new modelErrors.STREAM_CUT({
      provider,
      model: source.model,
      reason: "its end is missing",
    });
  const reply = openAiEnd({
    provider,
    content,
    isRefused,
    finishReason,
    usage: openAiUsage(model, usage, prices),
    toolCalls: [...open.values()],
  });
  for (const toolCall of reply.toolCalls ?? []) yield { type: "toolCall", toolCall };
  yield { type: "end", reply };
}

function addToolCall(
  open: Map<number, OpenToolCall>,
  delta: OpenAI.ChatCompletionChunk.Choice.Delta.ToolCall,
): void {
  // Some servers leave the index out when there is one call alone.
  const index = delta.index ?? 0;
  const call = open.get(index) ?? { id: "", name: "", inputText: "" };
  open.set(index, call);
  call.id ||= delta.id ?? "";
  call.name ||= delta.function?.name ?? "";
  call.inputText += delta.function?.arguments ?? "";
}
