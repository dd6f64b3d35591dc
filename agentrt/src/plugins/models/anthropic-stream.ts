import type { Anthropic } from "@anthropic-ai/sdk";
import { type ModelChunk, modelErrors, type ModelToolCall } from "../../core/index.ts";
import { anthropicEnd, anthropicUsage, type ReplySource } from "./anthropic-reply.ts";
import { parseToolInput } from "./tool-input.ts";

/** A block of the answer while it comes. */
interface OpenBlock {
  readonly block: Anthropic.ContentBlock;
  /** The arguments of a tool call, as text. */
  inputText: string;
}

/**
 * Turns the events of the Messages API into parts of an answer.
 *
 * @param events What the vendor's package hands on.
 * @param source Who answers.
 * @throws AGENTRT_MODEL_STREAM_CUT when they end without the last event; AGENTRT_MODEL_TOOL_INPUT_INVALID.
 */
export async function* anthropicChunks(
  events: AsyncIterable<Anthropic.RawMessageStreamEvent>,
  source: ReplySource & { readonly model: string },
): AsyncGenerator<ModelChunk, void, undefined> {
  const open = new Map<number, OpenBlock>();
  let model = source.model;
  let usage: Partial<Anthropic.Usage> | undefined;
  let stopReason: string | null = null;
  for await (const event of events) {
    switch (event.type) {
      case "message_start":
        model = event.message.model;
        usage = event.message.usage;
        break;
      case "content_block_start":
        open.set(event.index, { block: structuredClone(event.content_block), inputText: "" });
        break;
      case "content_block_delta": {
        const text = addDelta(open.get(event.index), event.delta);
        if (text !== "") yield { type: "text", text };
        break;
      }
      case "message_delta":
        // The counts are those of the whole answer; what is null was said at its begin.
        usage = { ...usage, ...withoutNulls(event.usage) };
        stopReason = event.delta.stop_reason;
        break;
      case "message_stop":
        yield* finish([...open.values()], {
          ...source,
          stopReason,
          usage: anthropicUsage(model, usage, source.prices),
        });
        return;
      default:
        break;
    }
  }
  const { provider } = source;
  throw new modelErrors.STREAM_CUT({ provider, model: source.model, reason: "its end is missing" });
}

/** Adds what came to its block. */
function addDelta(open: OpenBlock | undefined, delta: Anthropic.RawContentBlockDelta): string {
  if (open === undefined) return "";
  const { block } = open;
  if (delta.type === "text_delta" && block.type === "text") {
    block.text += delta.text;
    return delta.text;
  }
  if (delta.type === "input_json_delta") open.inputText += delta.partial_json;
  if (delta.type === "thinking_delta" && block.type === "thinking")
    block.thinking += delta.thinking;
  if (delta.type === "signature_delta" && block.type === "thinking")
    block.signature += delta.signature;
  return "";
}

function* finish(
  open: readonly OpenBlock[],
  end: {
    readonly provider: string;
    readonly stopReason: string | null;
    readonly usage: ReturnType<typeof anthropicUsage>;
  },
): Generator<ModelChunk, void, undefined> {
  const toolCalls: ModelToolCall[] = [];
  for (const { block, inputText } of open) {
    if (block.type !== "tool_use") continue;
    const { provider, usage, stopReason } = end;
    const isCut = stopReason === "max_tokens";
    const input = parseToolInput({ provider, tool: block.name, text: inputText, isCut, usage });
    block.input = input;
    const toolCall = { id: block.id, name: block.name, input };
    toolCalls.push(toolCall);
    yield { type: "toolCall", toolCall };
  }
  const blocks = open.map(({ block }) => block);
  yield { type: "end", reply: anthropicEnd(blocks, { ...end, toolCalls }) };
}

function withoutNulls(usage: Anthropic.MessageDeltaUsage): Partial<Anthropic.Usage> {
  return Object.fromEntries(Object.entries(usage ?? {}).filter(([, value]) => value !== null));
}
