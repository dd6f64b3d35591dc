import type { Anthropic } from "@anthropic-ai/sdk";
import {
  type JsonValue,
  modelErrors,
  modelReply,
  type ModelReply,
  type ModelStopReason,
  type ModelToolCall,
  type ModelUsage,
} from "../../core/index.ts";
import { anthropicNative } from "./anthropic-request.ts";
import { costUsd, type ModelPrices, priceOf } from "./prices.ts";

/** Where an answer comes from. */
export interface ReplySource {
  readonly provider: string;
  readonly prices: ModelPrices | undefined;
}

const stopReasons: { readonly [reason: string]: ModelStopReason } = {
  end_turn: "end",
  stop_sequence: "end",
  tool_use: "toolCalls",
  max_tokens: "maxTokens",
  model_context_window_exceeded: "maxTokens",
  refusal: "refusal",
};

/**
 * Reads a whole answer of the Messages API.
 *
 * @param message What came. It may be anything: the address may lead to another kind of server.
 * @param source Who answered.
 * @returns The answer.
 * @throws AGENTRT_MODEL_REPLY_INVALID.
 */
export function anthropicReply(
  message: Anthropic.Message,
  source: ReplySource & { readonly model: string },
): ModelReply {
  const refuse = (reason: string): Error =>
    new modelErrors.REPLY_INVALID({ provider: source.provider, model: source.model, reason });
  const given: unknown = message;
  if (typeof given !== "object" || given === null) throw refuse("it is not a JSON object");
  if (!Array.isArray(message.content)) throw refuse("it has no list of content");
  const usage = anthropicUsage(message.model ?? source.model, message.usage, source.prices);
  const toolCalls: ModelToolCall[] = [];
  for (const block of message.content) {
    if (block.type !== "tool_use") continue;
    const { id, name, input } = block;
    if (typeof input !== "object" || input === null || Array.isArray(input))
      throw new modelErrors.TOOL_INPUT_INVALID({
        provider: source.provider,
        model: usage.model,
        tool: name,
        reason: `found ${JSON.stringify(input)?.slice(0, 80)}`,
        usage,
      });
    toolCalls.push({ id, name, input: input as ModelToolCall["input"] });
  }
  return anthropicEnd(message.content, { usage, toolCalls, stopReason: message.stop_reason });
}

/**
 * Makes the answer of its parts.
 *
 * @param blocks The content.
 * @param parts What was read from it, and what it used.
 * @returns The answer. Content that only this vendor understands (thoughts) is kept for the next call.
 */
export function anthropicEnd(
  blocks: readonly Anthropic.ContentBlock[],
  parts: {
    readonly usage: ModelUsage;
    readonly toolCalls: readonly ModelToolCall[];
    readonly stopReason: string | null | undefined;
  },
): ModelReply {
  const isPlain = blocks.every((block) => block.type === "text" || block.type === "tool_use");
  return modelReply({
    ...parts.usage,
    content: blocks.map((block) => (block.type === "text" ? block.text : "")).join(""),
    toolCalls: parts.toolCalls,
    stopReason: stopReasons[parts.stopReason ?? ""] ?? "other",
    ...(isPlain
      ? {}
      : {
          native: {
            provider: anthropicNative,
            content: structuredClone(blocks) as unknown as JsonValue,
          },
        }),
  });
}

/**
 * Counts tokens and cost.
 *
 * @param model The model that answered.
 * @param usage The vendor's counts; without them nothing is known, the cost neither.
 * @param prices The user's prices.
 */
export function anthropicUsage(
  model: string,
  usage: Partial<Anthropic.Usage> | undefined,
  prices: ModelPrices | undefined,
): ModelUsage {
  if (usage === undefined || usage === null)
    return { model, tokensIn: 0, tokensOut: 0, costUsd: null };
  const cachedInput = usage.cache_read_input_tokens ?? 0;
  // Writing to the cache is asked for by nobody here; where a server does it, it counts as input.
  const input = (usage.input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0);
  const output = usage.output_tokens ?? 0;
  return {
    model,
    tokensIn: input + cachedInput,
    tokensOut: output,
    costUsd: costUsd(priceOf(model, prices), { input, cachedInput, output }),
  };
}
