import type { OpenSpan, SpanAttributes, Tracer } from "../messages/index.ts";
import type { ModelRequest, ModelStopReason, ModelUsage } from "./model-provider.ts";
import type { ModelSessionOwner } from "./model-session.ts";

/** Why a model stopped, in the words of the conventions of OpenTelemetry. */
export const finishReasons: { readonly [Reason in ModelStopReason]: string } = {
  end: "stop",
  toolCalls: "tool_call",
  maxTokens: "length",
  refusal: "content_filter",
  other: "other",
};

/**
 * Begins the span of a call of a model, with our own attributes and those of OpenTelemetry's conventions for generative
 * AI. What is said to models and what they say is never in it.
 *
 * @param tracer Undefined where no spans are made.
 * @param owner Who asks.
 * @param asked What is asked of which provider.
 * @returns The span; undefined without a tracer.
 */
export function startModelSpan(
  tracer: Tracer | undefined,
  owner: ModelSessionOwner,
  asked: Omit<ModelRequest, "signal"> & { readonly provider: string },
): OpenSpan | undefined {
  const { provider, model, maxTokens, temperature } = asked;
  return tracer?.startSpan("agentrt.llm.chat", {
    parent: owner.tracePoint(),
    kind: "client",
    attributes: {
      "agentrt.agent.name": owner.name,
      "agentrt.llm.model": model,
      "gen_ai.operation.name": "chat",
      "gen_ai.agent.name": owner.name,
      "gen_ai.provider.name": provider,
      "gen_ai.request.model": model,
      ...(maxTokens === undefined ? {} : { "gen_ai.request.max_tokens": maxTokens }),
      ...(temperature === undefined ? {} : { "gen_ai.request.temperature": temperature }),
    },
  });
}

/** @returns What a call used, as attributes of its span. */
export function usageAttributes({
  model,
  tokensIn,
  tokensOut,
  costUsd,
}: ModelUsage): SpanAttributes {
  return {
    "agentrt.llm.model": model,
    "agentrt.llm.tokens_in": tokensIn,
    "agentrt.llm.tokens_out": tokensOut,
    ...(costUsd === null ? {} : { "agentrt.llm.cost_usd": costUsd }),
    "gen_ai.response.model": model,
    "gen_ai.usage.input_tokens": tokensIn,
    "gen_ai.usage.output_tokens": tokensOut,
  };
}
