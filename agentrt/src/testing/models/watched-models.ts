import {
  type ModelChunk,
  type ModelProvider,
  type ModelReply,
  type ModelRequest,
  type ModelUsage,
  type NamedModel,
  TableError,
} from "../../core/index.ts";
import type { ModelAmount, ModelAsk } from "../fact.ts";
import { ModelFront } from "./model-front.ts";

/** Hears what is asked of models and what they answer. */
export interface ModelWatch {
  /** @returns The name of the agent whose code runs. */
  readonly agent: () => string | undefined;
  modelAsked(ask: ModelAsk): void;
  /** @param used What the answer took; undefined for a failure without a count. */
  modelAnswered(ask: ModelAsk, used: ModelAmount | undefined): void;
}

/** Lets a watch see each request and each answer of models, before anything of the runtime has counted it. */
export function watchModels(
  models: readonly NamedModel[],
  watch: ModelWatch,
): readonly NamedModel[] {
  return models.map(({ name, provider }) => ({
    name,
    provider: new WatchedModel(provider, watch),
  }));
}

/** Tokens of an answer that nobody bounds, as budgets hold them back. */
const answerTokensDefault = 1024;

class WatchedModel extends ModelFront {
  readonly #watch: ModelWatch;

  constructor(provider: ModelProvider, watch: ModelWatch) {
    super(provider);
    this.#watch = watch;
  }

  async chat(request: ModelRequest): Promise<ModelReply> {
    const ask = this.#ask(request);
    try {
      const reply = await this.provider.chat(request);
      this.#watch.modelAnswered(ask, this.#amount(request, reply));
      return reply;
    } catch (error) {
      this.#fail(ask, request, error);
      throw error;
    }
  }

  protected async *streamOf(
    request: ModelRequest,
    open: () => AsyncIterable<ModelChunk>,
  ): AsyncGenerator<ModelChunk, void, undefined> {
    const ask = this.#ask(request);
    try {
      for await (const chunk of open()) {
        if (chunk.type === "end")
          this.#watch.modelAnswered(ask, this.#amount(request, chunk.reply));
        yield chunk;
      }
    } catch (error) {
      this.#fail(ask, request, error);
      throw error;
    }
  }

  #ask(request: ModelRequest): ModelAsk {
    const tokensOut = request.maxTokens ?? this.maxTokens ?? answerTokensDefault;
    // All that could be read as a part of the question: never less than a budget holds back for it.
    const tokensIn = JSON.stringify([request.messages, request.tools]).length;
    const ask: ModelAsk = {
      agent: this.#watch.agent() ?? "",
      signal: request.signal,
      most: this.#amount(request, { tokensIn, tokensOut, costUsd: null }),
      answerMost: this.#amount(request, { tokensIn: 0, tokensOut, costUsd: null }),
    };
    this.#watch.modelAsked(ask);
    return ask;
  }

  #fail(ask: ModelAsk, request: ModelRequest, error: unknown): void {
    const { usage } =
      error instanceof TableError ? (error.details as { readonly usage?: ModelUsage }) : {};
    this.#watch.modelAnswered(ask, usage && this.#amount(request, usage));
  }

  /** A provider of the user's own may answer anything. */
  #amount(request: ModelRequest, usage: Partial<ModelUsage> | null | undefined): ModelAmount {
    const { tokensIn = 0, tokensOut = 0, costUsd } = usage ?? {};
    const price = this.priceOf(request.model) ?? { input: 0, output: 0 };
    const usd = (tokensIn * price.input + tokensOut * price.output) / 1_000_000;
    return { tokens: tokensIn + tokensOut, usd: costUsd ?? usd };
  }
}
