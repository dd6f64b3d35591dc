import {
  type ModelChunk,
  modelErrors,
  type ModelPrice,
  type ModelProvider,
  type ModelReply,
  type ModelRequest,
  type NamedModel,
  toolErrors,
  type ToolSource,
} from "../../core/index.ts";
import { type FaultPlan, InjectedFault } from "../fault-plan.ts";

/** What goes wrong with models and tools. */
export interface Disturbance {
  readonly faults: FaultPlan;
  readonly sleep: (delayMs: number) => Promise<void>;
}

/** Lets models fail and take their time, as the faults of a run decide. */
export function disturbModels(
  models: readonly NamedModel[],
  disturbance: Disturbance,
): readonly NamedModel[] {
  return models.map(({ name, provider }) => ({
    name,
    provider: new DisturbedModel(name, provider, disturbance),
  }));
}

class DisturbedModel implements ModelProvider {
  readonly stream?: (request: ModelRequest) => AsyncIterable<ModelChunk>;
  readonly #name: string;
  readonly #provider: ModelProvider;
  readonly #disturbance: Disturbance;

  constructor(name: string, provider: ModelProvider, disturbance: Disturbance) {
    this.#name = name;
    this.#provider = provider;
    this.#disturbance = disturbance;
    if (provider.stream !== undefined) this.stream = (request) => this.#stream(request);
  }

  get defaultModel(): string | undefined {
    return this.#provider.defaultModel;
  }

  get retryCountMax(): number | undefined {
    return this.#provider.retryCountMax;
  }

  get retryBaseMs(): number | undefined {
    return this.#provider.retryBaseMs;
  }

  get timeoutMs(): number | undefined {
    return this.#provider.timeoutMs;
  }

  get maxTokens(): number | undefined {
    return this.#provider.maxTokens;
  }

  priceOf(model: string): ModelPrice | undefined {
    return this.#provider.priceOf?.(model);
  }

  open(...given: Parameters<NonNullable<ModelProvider["open"]>>): void | PromiseLike<void> {
    return this.#provider.open?.(...given);
  }

  close(): void | PromiseLike<void> {
    return this.#provider.close?.();
  }

  async chat(request: ModelRequest): Promise<ModelReply> {
    await this.#disturb(request);
    return await this.#provider.chat(request);
  }

  async *#stream(request: ModelRequest): AsyncGenerator<ModelChunk, void, undefined> {
    await this.#disturb(request);
    yield* this.#provider.stream?.(request) ?? [];
  }

  async #disturb({ model }: ModelRequest): Promise<void> {
    const { faults, sleep } = this.#disturbance;
    if (faults.happens("modelIsSlow")) await sleep(faults.slowMs());
    if (!faults.happens("modelFails")) return;
    const cause = new InjectedFault("injected: the model fails");
    const details = { provider: this.#name, model, reason: cause.message };
    throw new modelErrors.OVERLOADED(details, { cause });
  }
}

/** Lets tools fail and take their time, as the faults of a run decide. */
export function disturbTools(
  sources: readonly ToolSource[],
  { faults, sleep }: Disturbance,
): readonly ToolSource[] {
  return sources.map((source) => ({
    name: source.name,
    scheme: source.scheme,
    span: source.span,
    open: (host) => source.open?.(host),
    close: () => source.close?.(),
    tools: () => source.tools(),
    call: async (tool, input, options) => {
      if (faults.happens("modelIsSlow")) await sleep(faults.slowMs());
      if (faults.happens("modelFails")) {
        const cause = new InjectedFault("injected: the tool server is away");
        const details = { server: source.name, reason: cause.message };
        throw new toolErrors.UNAVAILABLE(details, { cause });
      }
      return await source.call(tool, input, options);
    },
  }));
}
