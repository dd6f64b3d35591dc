import type { ModelChunk, ModelMessage, ModelReply, ModelTool } from "./model-provider.ts";

/** What an agent asks a model. */
export interface LlmOptions {
  /** The conversation so far, the newest message last. */
  readonly messages: readonly ModelMessage[];
  /** The model; default the provider's `default_model`. */
  readonly model?: string | undefined;
  /** Tools that the model may ask for; default none. */
  readonly tools?: readonly ModelTool[] | undefined;
  /** Most tokens of the answer, 1 or more; default the provider's. */
  readonly maxTokens?: number | undefined;
  /** 0 or more; default the model's own. Not every model takes it. */
  readonly temperature?: number | undefined;
  /** Upper bound on the whole call, retries included, 1 to 2_147_483_647; default none beyond those of its attempts. */
  readonly timeoutMs?: number | undefined;
  /**
   * Ends the call with AGENTRT_MODEL_CANCELLED. The signal of the message at hand does so, too, unless this is null.
   */
  readonly signal?: AbortSignal | null | undefined;
}

/** Asks models for an agent: `this.llm`. Tokens, cost and a span of every call are recorded by itself. */
export interface Llm {
  /**
   * Asks and waits for the whole answer.
   *
   * @returns The answer; `reply.message` goes into the next call of the same conversation.
   * @throws AGENTRT_MODEL_*; AGENTRT_AGENT_STOPPED once the incarnation that asked is over.
   */
  chat(options: LlmOptions): Promise<ModelReply>;
  /**
   * Asks and hands on the answer while it comes. The last part is `end`, with the whole answer and what it used. To
   * stop reading early cancels the call; what it used until then is not counted.
   *
   * @returns The parts, to be read once.
   * @throws While it is read: what `chat` throws; AGENTRT_MODEL_STREAM_CUT when the answer breaks off.
   */
  stream(options: LlmOptions): AsyncIterable<ModelChunk>;
}
