import { timeoutMsMax } from "../values/index.ts";
import { modelErrors } from "./errors.ts";
import type { LlmOptions } from "./llm.ts";

/**
 * Checks what an agent wants to ask, so that a wrong call fails here, in words, and not at the provider.
 *
 * @param agent Who asks, for the message.
 * @param options What it gave.
 * @throws AGENTRT_MODEL_REQUEST_INVALID.
 */
export function checkRequest(agent: string, options: LlmOptions): void {
  const refuse = (place: string, value: unknown, wanted: string): never => {
    throw new modelErrors.REQUEST_INVALID({ agent, place, found: found(value), wanted });
  };
  if (!isObject(options)) return refuse("the argument", options, "an object with messages");
  const { messages, tools, model, maxTokens, temperature, timeoutMs, signal } = options;
  if (!Array.isArray(messages) || messages.length === 0)
    return refuse("messages", messages, "a list of at least one message");
  messages.forEach((message: unknown, index) => checkMessage(message, index, refuse));
  if (tools !== undefined && !Array.isArray(tools)) return refuse("tools", tools, "a list");
  tools?.forEach((tool: unknown, index) => {
    if (!isObject(tool) || typeof tool["name"] !== "string" || tool["name"] === "")
      return refuse(`tools[${index}]`, tool, "an object with a name");
    if (!isObject(tool["inputSchema"]))
      refuse(`tools[${index}].inputSchema`, tool["inputSchema"], "a JSON Schema");
  });
  if (model !== undefined && (typeof model !== "string" || model === ""))
    return refuse("model", model, "the name of a model");
  if (maxTokens !== undefined && !(Number.isInteger(maxTokens) && maxTokens >= 1))
    return refuse("maxTokens", maxTokens, "a whole number of 1 or more");
  if (temperature !== undefined && !(Number.isFinite(temperature) && temperature >= 0))
    return refuse("temperature", temperature, "a number of 0 or more");
  if (signal !== undefined && signal !== null && !(signal instanceof AbortSignal))
    return refuse("signal", signal, "an AbortSignal");
  if (timeoutMs !== undefined && !(timeoutMs > 0 && timeoutMs <= timeoutMsMax))
    refuse("timeoutMs", timeoutMs, `a number above 0, at most ${timeoutMsMax}`);
}

type Refuse = (place: string, value: unknown, wanted: string) => never;

function checkMessage(message: unknown, index: number, refuse: Refuse): void {
  const place = `messages[${index}]`;
  if (!isObject(message)) return refuse(place, message, "an object with role and content");
  const { role, content, toolCallId } = message;
  if (role !== "system" && role !== "user" && role !== "assistant" && role !== "tool")
    return refuse(`${place}.role`, role, "one of system, user, assistant, tool");
  if (typeof content !== "string") return refuse(`${place}.content`, content, "a string");
  if (role === "tool" && typeof toolCallId !== "string")
    refuse(`${place}.toolCallId`, toolCallId, "the id of the tool call that it answers");
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Names a value without showing what may be long or private. */
function found(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" ? JSON.stringify(value.slice(0, 40)) : `of type ${typeof value}`;
}
