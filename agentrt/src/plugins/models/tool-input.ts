import { type JsonObject, modelErrors, type ModelUsage } from "../../core/index.ts";

/** A tool call as it came: its arguments are text that a model wrote. */
export interface RawToolInput {
  readonly provider: string;
  readonly tool: string;
  readonly text: string;
  /** True when the answer ended because it was as long as it may be. */
  readonly isCut: boolean;
  /** What the answer used: it was paid for, whatever becomes of it. */
  readonly usage: ModelUsage;
}

/**
 * Parses the arguments of a tool call.
 *
 * @param input The text and where it comes from.
 * @returns The arguments; an empty object for an empty text.
 * @throws AGENTRT_MODEL_TOOL_INPUT_INVALID when they are not a JSON object.
 */
export function parseToolInput({ provider, tool, text, isCut, usage }: RawToolInput): JsonObject {
  const refuse = (reason: string): Error =>
    new modelErrors.TOOL_INPUT_INVALID({
      provider,
      model: usage.model,
      tool,
      reason: isCut ? "they were cut at the most tokens of an answer" : reason,
      usage,
    });
  if (text.trim() === "") return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse(`found ${JSON.stringify(text.slice(0, 80))}`);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as JsonObject;
  throw refuse(`found ${JSON.stringify(text.slice(0, 80))}`);
}
