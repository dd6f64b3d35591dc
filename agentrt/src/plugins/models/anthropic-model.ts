import type { Anthropic } from "@anthropic-ai/sdk";
import type { ModelChunk, ModelReply } from "../../core/index.ts";
import { anthropicReply } from "./anthropic-reply.ts";
import { anthropicRequest, maxTokensDefault } from "./anthropic-request.ts";
import { anthropicChunks } from "./anthropic-stream.ts";
import type { VendorModelOptions } from "./model-options.ts";
import { requestOptionsOf, type Vendor, VendorModel, type VendorRequest } from "./vendor-model.ts";

const vendor: Vendor<Anthropic> = {
  type: "anthropic",
  packageName: "@anthropic-ai/sdk",
  installCommand: "npm install @anthropic-ai/sdk@1.11.0",
  keyVariable: "ANTHROPIC_API_KEY",
  maxTokensDefault,
  connect: async (options) => {
    const { Anthropic } = await import("@anthropic-ai/sdk");
    // Spans of the call are the runtime's.
    return new Anthropic({ ...options, openTelemetry: false });
  },
  async ask(asked: VendorRequest<Anthropic>): Promise<ModelReply> {
    const { client, request, provider, options } = asked;
    const { maxTokens, prices } = options;
    const { model } = request;
    const message = await client.messages.create(
      anthropicRequest(request, maxTokens),
      requestOptionsOf(request),
    );
    return anthropicReply(message, { provider, model, prices });
  },

  async *askStreaming(
    asked: VendorRequest<Anthropic>,
  ): AsyncGenerator<ModelChunk, void, undefined> {
    const { client, request, provider, options } = asked;
    const { maxTokens, prices } = options;
    const { model } = request;
    const body = { ...anthropicRequest(request, maxTokens), stream: true as const };
    const events = await client.messages.create(body, requestOptionsOf(request));
    yield* anthropicChunks(events, { provider, model, prices });
  },
};

/**
 * Models behind Anthropic's Messages API: `type: anthropic`, or `llm_provider_a`. The key is the environment's
 * `ANTHROPIC_API_KEY`; the package `@anthropic-ai/sdk` is loaded with the first request.
 *
 * @example
 * const provider = new AnthropicModel({ defaultModel: "claude-opus-5-5" });
 * new Runtime({ supervision, models: [{ name: "main", provider }] });
 */
export class AnthropicModel extends VendorModel {
  /** @throws AGENTRT_MODEL_CONFIG_INVALID. */
  constructor(options: VendorModelOptions = {}) {
    super(vendor, options);
  }
}
