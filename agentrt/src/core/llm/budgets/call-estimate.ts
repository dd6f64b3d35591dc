import { modelErrors } from "../errors.ts";
import type { ModelPrice, ModelProvider, ModelRequest, ModelUsage } from "../model-provider.ts";
import type { Amount } from "./budget-ledger.ts";

/** UTF-8 bytes of text that count as one token before the provider has counted: few languages need more tokens. */
const bytesPerToken = 3;
/** Tokens of an answer whose length nobody bounds. */
const answerTokensDefault = 1024;

/**
 * Says what a call may cost, before it is made: its text, and the longest answer that it allows.
 *
 * @param provider Knows prices, and how long its answers are at most.
 * @param request What it is asked.
 */
export function callEstimate(provider: ModelProvider, request: ModelRequest): Amount {
  const tokensIn = Math.ceil(sizeBytesOf(request) / bytesPerToken);
  const tokensOut = request.maxTokens ?? provider.maxTokens ?? answerTokensDefault;
  const price = provider.priceOf?.(request.model);
  return { usd: usdOf(price, { tokensIn, tokensOut }), tokens: tokensIn + tokensOut };
}

/**
 * Says what a call did cost.
 *
 * @param usage What the provider told.
 * @param price Of the model that was asked, for a provider that tells no cost.
 */
export function callCost(usage: ModelUsage, price: ModelPrice | undefined): Amount {
  const { tokensIn, tokensOut, costUsd } = usage;
  return { usd: costUsd ?? usdOf(price, usage), tokens: tokensIn + tokensOut };
}

const connectFailures = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"]);
const freeErrors = [
  modelErrors.RATE_LIMITED,
  modelErrors.OVERLOADED,
  modelErrors.SERVER_FAILED,
  modelErrors.REFUSED,
  modelErrors.KEY_MISSING,
  modelErrors.PACKAGE_MISSING,
  modelErrors.NOT_RECORDED,
] as const;

/**
 * True for an error after which nothing is owed: the provider said that it did not do the work, or was never reached.
 *
 * @param error What an attempt failed with, before a part of its answer had come.
 */
export function isFree(error: unknown): boolean {
  if (error instanceof modelErrors.UNREACHABLE)
    return connectFailures.has(error.details.connectionCode ?? "");
  return freeErrors.some((each) => error instanceof each);
}

function sizeBytesOf({ messages, tools }: ModelRequest): number {
  const more = messages.flatMap((message) =>
    message.role === "assistant" ? [message.toolCalls ?? [], message.native ?? {}] : [],
  );
  const texts = messages.map(({ content }) => content);
  const parts = [...texts, ...[...more, ...tools].map((part) => JSON.stringify(part))];
  return parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
}

function usdOf(
  price: ModelPrice | undefined,
  tokens: Pick<ModelUsage, "tokensIn" | "tokensOut">,
): number {
  if (price === undefined) return 0;
  return (tokens.tokensIn * price.input + tokens.tokensOut * price.output) / 1_000_000;
}
