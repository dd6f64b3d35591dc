import type {
  ModelChunk,
  ModelPrice,
  ModelProvider,
  ModelReply,
  ModelRequest,
} from "../../core/index.ts";

/** A provider in front of another: all but the answers is the other's. */
export abstract class ModelFront implements ModelProvider {
  readonly defaultModel: string | undefined;
  readonly retryCountMax: number | undefined;
  readonly retryBaseMs: number | undefined;
  readonly timeoutMs: number | undefined;
  readonly maxTokens: number | undefined;
  /** There where the other provider streams. */
  readonly stream?: (request: ModelRequest) => AsyncIterable<ModelChunk>;
  /** The other one. */
  protected readonly provider: ModelProvider;

  /** @param provider The provider behind this one. */
  constructor(provider: ModelProvider) {
    this.defaultModel = provider.defaultModel;
    this.retryCountMax = provider.retryCountMax;
    this.retryBaseMs = provider.retryBaseMs;
    this.timeoutMs = provider.timeoutMs;
    this.maxTokens = provider.maxTokens;
    this.provider = provider;
    const stream = provider.stream?.bind(provider);
    if (stream !== undefined)
      this.stream = (request) => this.streamOf(request, () => stream(request));
  }

  priceOf(model: string): ModelPrice | undefined {
    return this.provider.priceOf?.(model);
  }

  open(...given: Parameters<NonNullable<ModelProvider["open"]>>): void | PromiseLike<void> {
    return this.provider.open?.(...given);
  }

  close(): void | PromiseLike<void> {
    return this.provider.close?.();
  }

  abstract chat(request: ModelRequest): Promise<ModelReply>;

  /**
   * @param request What is asked.
   * @param ask Asks the other provider.
   */
  protected abstract streamOf(
    request: ModelRequest,
    ask: () => AsyncIterable<ModelChunk>,
  ): AsyncIterable<ModelChunk>;
}
