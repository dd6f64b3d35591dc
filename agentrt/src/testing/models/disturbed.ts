import {
  type ModelChunk,
  modelErrors,
  type ModelProvider,
  type ModelReply,
  type ModelRequest,
  type NamedModel,
  toolErrors,
  type ToolSource,
} from "../../core/index.ts";
import { ModelFront } from "./model-front.ts";
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

class DisturbedModel extends ModelFront {
  readonly #name: string;
  readonly #disturbance: Disturbance;

  constructor(name: string, provider: ModelProvider, disturbance: Disturbance) {
    super(provider);
    this.#name = name;
    this.#disturbance = disturbance;
  }

  async chat(request: ModelRequest): Promise<ModelReply> {
    await this.#disturb(request);
    return await this.provider.chat(request);
  }

  protected async *streamOf(
    request: ModelRequest,
    ask: () => AsyncIterable<ModelChunk>,
  ): AsyncGenerator<ModelChunk, void, undefined> {
    await this.#disturb(request);
    yield* ask();
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
