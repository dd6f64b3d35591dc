import type { JsonObject, JsonValue } from "../values/index.ts";
import type { Log } from "../ports/index.ts";

/** A tool that the model wants to be used. */
export interface ModelToolCall {
  /** Given by the model; the answer names it. */
  readonly id: string;
  readonly name: string;
  /** The arguments, parsed. */
  readonly input: JsonObject;
}

/** A tool that the model may ask for. */
export interface ModelTool {
  readonly name: string;
  readonly description?: string | undefined;
  /** JSON Schema of the arguments: an object. */
  readonly inputSchema: JsonObject;
}

/** What a model said. */
export interface ModelAssistantMessage {
  readonly role: "assistant";
  readonly content: string;
  readonly toolCalls?: readonly ModelToolCall[] | null | undefined;
  /** What only the provider that made the message understands; hand it on as it is. */
  readonly native?: { readonly provider: string; readonly content: JsonValue } | undefined;
}

/** One message of a conversation with a model. Plain JSON: it may be kept in an agent's state. */
export type ModelMessage =
  | { readonly role: "system" | "user"; readonly content: string }
  | ModelAssistantMessage
  | {
      readonly role: "tool";
      /** Id of the `ModelToolCall` that this answers. */
      readonly toolCallId: string;
      readonly content: string;
      /** True when the tool failed; default false. */
      readonly isError?: boolean | undefined;
    };

/** What one call used. */
export interface ModelUsage {
  /** The model that answered, as the provider names it. */
  readonly model: string;
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** Null when no price of the model is known. */
  readonly costUsd: number | null;
}

/** Why a model stopped. */
export type ModelStopReason = "end" | "toolCalls" | "maxTokens" | "refusal" | "other";

/** A model's answer. */
export interface ModelReply extends ModelUsage {
  /** The text; empty when there is none. */
  readonly content: string;
  /** Null when the model wants no tool. */
  readonly toolCalls: readonly ModelToolCall[] | null;
  readonly stopReason: ModelStopReason;
  /** Name of the provider that answered: another one than was asked after a fallback. The runtime fills it in. */
  readonly provider?: string | undefined;
  /** The answer as a message, for the next call of the same conversation. */
  readonly message: ModelAssistantMessage;
}

/** A part of a streamed answer. */
export type ModelChunk =
  | { readonly type: "text"; readonly text: string }
  /** A whole tool call: its arguments have all come. */
  | { readonly type: "toolCall"; readonly toolCall: ModelToolCall }
  /** The last part: the whole answer, with what it used. */
  | { readonly type: "end"; readonly reply: ModelReply };

/** What a provider is asked. Checked already. */
export interface ModelRequest {
  readonly model: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  /** Most tokens of the answer; default the provider's own. */
  readonly maxTokens?: number | undefined;
  /** Only sent when it is given: not every model takes it. */
  readonly temperature?: number | undefined;
  /** Environment variable that holds the key of the agent that asks; without it the provider's own key is used. */
  readonly keyVariable?: string | undefined;
  /** Place of the call in its trace, for the header of that name; undefined where no spans are made. */
  readonly traceparent?: string | undefined;
  /** Aborted when nobody waits for the answer any longer. */
  readonly signal: AbortSignal;
}

/** What a provider may use while it opens. */
export interface ModelHost {
  /** The name under which agents reach the provider. */
  readonly name: string;
  readonly log: Log;
  /** Wall clock, milliseconds since the Unix epoch. */
  readonly nowMs: () => number;
}

/** What a model costs, in USD per million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** Input that the provider had in its cache; default as `input`. */
  readonly cachedInput?: number | undefined;
}

/**
 * Speaks to models. One attempt a call: the runtime retries what fails with `modelErrors.RATE_LIMITED`, `OVERLOADED`,
 * `SERVER_FAILED` or `UNREACHABLE`, keeps the time-outs, and counts tokens and cost.
 *
 * @example
 * class Echo implements ModelProvider {
 *   async chat({ model, messages }: ModelRequest): Promise<ModelReply> {
 *     return modelReply({ model, content: messages.at(-1)?.content ?? "", tokensIn: 1, tokensOut: 1 });
 *   }
 * }
 */
export interface ModelProvider {
  /** The model of calls that name none. */
  readonly defaultModel?: string | undefined;
  /** Attempts after the first one, 0 or more; default 3. */
  readonly retryCountMax?: number | undefined;
  /** First wait before a retry when the provider does not say how long; it doubles up to 8 s. Default 500. */
  readonly retryBaseMs?: number | undefined;
  /** Upper bound on the wait for an answer, and between two parts of a streamed one. Default 300_000. */
  readonly timeoutMs?: number | undefined;
  /** Most tokens of an answer to a request that names no `maxTokens`; default unknown. Budgets hold back as many. */
  readonly maxTokens?: number | undefined;
  /** Says what a model costs; undefined when nobody knows. Without it no model can be used under a budget in USD. */
  priceOf?(model: string): ModelPrice | undefined;
  /** Runs when the runtime starts; throwing refuses the start. */
  open?(host: ModelHost): void | PromiseLike<void>;
  /** Asks once and waits for the whole answer. */
  chat(request: ModelRequest): Promise<ModelReply>;
  /** Asks once; the last part is `end`. Without it the whole answer of `chat` is handed on in one piece. */
  stream?(request: ModelRequest): AsyncIterable<ModelChunk>;
  /** Runs when the runtime stops. */
  close?(): void | PromiseLike<void>;
}

/** A provider, and the name under which agents reach it. */
export interface NamedModel {
  readonly name: string;
  readonly provider: ModelProvider;
}

/**
 * Makes the answer of a provider from what it knows.
 *
 * @param parts The text, the model, the tokens; the rest has defaults: no tool calls, cost unknown.
 * @returns The answer.
 */
export function modelReply(
  parts: Pick<ModelReply, "model" | "content"> &
    Partial<Omit<ModelReply, "message" | "provider">> & {
      readonly native?: ModelAssistantMessage["native"];
    },
): ModelReply {
  const { model, content, tokensIn = 0, tokensOut = 0, costUsd = null, native } = parts;
  const toolCalls = (parts.toolCalls?.length ?? 0) === 0 ? null : (parts.toolCalls ?? null);
  return {
    content,
    model,
    tokensIn,
    tokensOut,
    costUsd,
    toolCalls,
    stopReason: parts.stopReason ?? (toolCalls === null ? "end" : "toolCalls"),
    message: {
      role: "assistant",
      content,
      ...(toolCalls === null ? {} : { toolCalls }),
      ...(native === undefined ? {} : { native }),
    },
  };
}
