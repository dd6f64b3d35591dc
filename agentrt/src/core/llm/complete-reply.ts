import { modelErrors } from "./errors.ts";
import { modelReply, type ModelReply } from "./model-provider.ts";

/**
 * Checks what a provider answered and fills in what it left out. Providers are written by users too.
 *
 * @param reply What `chat` gave, or the end of a stream.
 * @param asked Who was asked, for the message.
 * @returns A whole reply.
 * @throws AGENTRT_MODEL_REPLY_INVALID.
 */
export function completeReply(
  reply: Partial<ModelReply>,
  asked: { readonly provider: string; readonly model: string },
): ModelReply {
  const refuse = (reason: string): Error => new modelErrors.REPLY_INVALID({ ...asked, reason });
  const given: unknown = reply;
  if (typeof given !== "object" || given === null) throw refuse("it is not an object");
  const { content, tokensIn = 0, tokensOut = 0, costUsd = null, model = asked.model } = reply;
  if (typeof content !== "string") throw refuse("content is not a string");
  if (!isCount(tokensIn) || !isCount(tokensOut) || !(costUsd === null || isCount(costUsd)))
    throw refuse("tokensIn, tokensOut or costUsd is not a number of 0 or more");
  const native = reply.message?.native;
  const whole = modelReply({ ...reply, content, model, tokensIn, tokensOut, costUsd, native });
  return { ...whole, provider: asked.provider };
}

function isCount(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
