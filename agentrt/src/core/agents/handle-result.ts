import type { Agent } from "./agent.ts";
import { isStateRequest, type Message } from "../messages/index.ts";

/**
 * Says what a caller gets when the handler returned nothing.
 *
 * @param agent Who was asked.
 * @param message What was asked.
 * @returns The redacted state when the message asks for the state; else an empty object.
 */
export function defaultReply(agent: Agent, message: Message): object {
  return isStateRequest(message) ? agent.redactState(agent.state) : {};
}

/**
 * Says whether a handler's result has to be awaited.
 *
 * @param result What `handle` returned.
 * @returns True for any object with a `then` method, not only for a native promise.
 */
export function isThenable<Result>(
  result: Result | PromiseLike<Result>,
): result is PromiseLike<Result> {
  return (
    typeof result === "object" &&
    result !== null &&
    typeof (result as { then?: unknown }).then === "function"
  );
}
