import type { OpenAI } from "openai";
import type { ModelChunk, ModelReply } from "../../core/index.ts";
import type { VendorModelOptions } from "./model-options.ts";
import { openAiReply } from "./openai-reply.ts";
import { openAiRequest } from "./openai-request.ts";
import { openAiChunks } from "./openai-stream.ts";
import { requestOptionsOf, type Vendor, VendorModel, type VendorRequest } from "./vendor-model.ts";

const vendor: Vendor<OpenAI> = {
  type: "openai",
  packageName: "openai",
  installCommand: "npm install openai@7.55.0",
  keyVariable: "OPENAI_API_KEY",
  connect: async (options) => {
    const { OpenAI } = await import("openai");
    return new OpenAI(options);
  },
  async ask(asked: VendorRequest<OpenAI>): Promise<ModelReply> {
    const { client, request, provider, options } = asked;
    const { model } = request;
    const completion = await client.chat.completions.create(
      bodyOf(asked),
      requestOptionsOf(request),
    );
    return openAiReply(completion, { provider, model, prices: options.prices });
  },

  async *askStreaming(asked: VendorRequest<OpenAI>): AsyncGenerator<ModelChunk, void, undefined> {
    const { client, request, provider, options } = asked;
    const { model } = request;
    const streaming = { stream: true as const, stream_options: { include_usage: true } };
    const body = { ...bodyOf(asked), ...streaming };
    const chunks = await client.chat.completions.create(body, requestOptionsOf(request));
    yield* openAiChunks(chunks, { provider, model, prices: options.prices });
  },
};

/**
 * Models behind the Chat Completions API: OpenAI's, and with `baseUrl` those of any server that speaks it. `type:
 * openai`, or `llm_provider_b`. The key is the environment's `OPENAI_API_KEY`, which a server of one's own may not
 * want; the package `openai` is loaded with the first request.
 *
 * @example
 * const provider = new OpenAiModel({ baseUrl: "http://127.0.0.1:11434/v1", defaultModel: "llama3" });
 * new Runtime({ supervision, models: [{ name: "local", provider }] });
 */
export class OpenAiModel extends VendorModel {
  /** @throws AGENTRT_MODEL_CONFIG_INVALID. */
  constructor(options: VendorModelOptions = {}) {
    super(vendor, options);
  }
}

function bodyOf({
  request,
  options: { maxTokens, baseUrl },
}: VendorRequest<OpenAI>): OpenAI.ChatCompletionCreateParamsNonStreaming {
  return openAiRequest(request, { maxTokens, isVendor: baseUrl === undefined });
}
