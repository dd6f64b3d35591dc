import type { OpenAI } from "openai";
import {
  modelErrors,
  modelReply,
  type ModelReply,
  type ModelStopReason,
  type ModelUsage,
} from "../../core/index.ts";
import type { ReplySource } from "./anthropic-reply.ts";
import { costUsd, type ModelPrices, priceOf } from "./prices.ts";
import { parseToolInput } from "./tool-input.ts";

const stopReasons: { readonly [reason: string]: ModelStopReason } = {
  stop: "end",
  tool_calls: "toolCalls",
  function_call: "toolCalls",
  length: "maxTokens",
  content_filter: "refusal",
};

/** A tool call as it came. */
export interface RawToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON, as a model wrote it. */
  readonly inputText: string;
}

/**
 * Reads a whole answer of the Chat Completions API.
 *
 * @param completion What came. It may be anything: the address may lead to another kind of server.
 * @param source Who answered.
 * @returns The answer.
 * @throws AGENTRT_MODEL_REPLY_INVALID, AGENTRT_MODEL_TOOL_INPUT_INVALID.
 */
export function openAiReply(
  completion: OpenAI.ChatCompletion,
  source: ReplySource & { readonly model: string },
): ModelReply {
  const { provider, model: askedModel, prices } = source;
  const refuse = (reason: string): Error =>
    new modelErrors.REPLY_INVALID({ provider, model: askedModel, reason });
  const given: unknown = completion;
  if (typeof given !== "object" || given === null) throw refuse("it is not a JSON object");
  const choice = completion.choices?.[0];
  const given0: unknown = choice?.message;
  if (choice === undefined || typeof given0 !== "object" || given0 === null)
    throw refuse("it has no choices[0].message");
  const { message, finish_reason: finishReason } = choice;
  return openAiEnd({
    provider,
    content: message.content ?? message.refusal ?? "",
    isRefused: message.refusal !== undefined && message.refusal !== null,
    finishReason,
    usage: openAiUsage(completion.model ?? askedModel, completion.usage, prices),
    toolCalls: (message.tool_calls ?? []).flatMap((call) =>
      call.type === "custom"
        ? []
        : [{ id: call.id, name: call.function.name, inputText: call.function.arguments }],
    ),
  });
}

/**
 * Makes the answer of its parts.
 *
 * @param parts What was read, tool calls still as text.
 * @returns The answer.
 * @throws AGENTRT_MODEL_TOOL_INPUT_INVALID.
 */
export function openAiEnd(parts: {
  readonly provider: string;
  readonly content: string;
  readonly isRefused: boolean;
  readonly finishReason: string | null | undefined;
  readonly usage: ModelUsage;
  readonly toolCalls: readonly RawToolCall[];
}): ModelReply {
  const { provider, content, usage, finishReason } = parts;
  const isCut = finishReason === "length";
  const toolCalls = parts.toolCalls.map(({ id, name, inputText }) => ({
    id,
    name,
    input: parseToolInput({ provider, tool: name, text: inputText, isCut, usage }),
  }));
  const stopReason = stopReasons[finishReason ?? ""] ?? "other";
  return modelReply({
    ...usage,
    content,
    toolCalls,
    stopReason: parts.isRefused
      ? "refusal"
      : // Some servers say "stop" after tool calls, too.
        stopReason === "end" && toolCalls.length > 0
        ? "toolCalls"
        : stopReason,
  });
}

/**
 * Counts tokens and cost.
 *
 * @param model The model that answered.
 * @param usage The server's counts; without them nothing is known, the cost neither.
 * @param prices The user's prices.
 */
export function openAiUsage(
  model: string,
  usage: OpenAI.CompletionUsage | null | undefined,
  prices: ModelPrices | undefined,
): ModelUsage {
  if (usage === undefined || usage === null)
    return { model, tokensIn: 0, tokensOut: 0, costUsd: null };
  const tokensIn = usage.prompt_tokens ?? 0;
  const output = usage.completion_tokens ?? 0;
  const cachedInput = Math.min(tokensIn, usage.prompt_tokens_details?.cached_tokens ?? 0);
  return {
    model,
    tokensIn,
    tokensOut: output,
    costUsd: costUsd(priceOf(model, prices), {
      input: tokensIn - cachedInput,
      cachedInput,
      output,
    }),
  };
}
