/**
 * The model providers that come with the runtime, and their prices.
 *
 * They must not know agents: a provider turns a `ModelRequest` into a `ModelReply`.
 */
export { AnthropicModel } from "./anthropic-model.ts";
export type { VendorModelOptions } from "./model-options.ts";
export { OpenAiModel } from "./openai-model.ts";
export type { ModelPrices } from "./prices.ts";
export { isServerUrl, modelTimeoutMsMax } from "./server-limits.ts";
