import type { CrashRecord, JsonObject } from "../../core/index.ts";
import { hiddenMembers, type Redact } from "./state-view.ts";

/**
 * Makes of the record of a crash what a control plane may show. Secrets are not in it anyway.
 *
 * @param record Belongs to who asks.
 * @param redact Keys, in all that the agent had and got; or a function of states, and of those only. One that fails leaves
 *   nothing of the state.
 */
export function shownRecord(record: CrashRecord, redact: Redact = []): CrashRecord {
  const isFunction = typeof redact === "function";
  const keys = new Set(isFunction ? [] : redact);
  const dataOf = <Data extends JsonObject | null | undefined>(data: Data): Data =>
    hiddenMembers(data ?? null, { isHidden: (key) => keys.has(key) }) as Data;
  const stateOf = (state: JsonObject | null): JsonObject | null =>
    state !== null && isFunction ? called(redact, state, record.agent) : dataOf(state);
  const messageOf = <Message extends CrashRecord["messages"][number] | null>(
    message: Message,
  ): Message => (message === null ? message : { ...message, payload: dataOf(message.payload) });
  const { before, after } = record.checkpoint;
  return {
    ...record,
    message: messageOf(record.message),
    messages: record.messages.map(messageOf),
    answers: record.answers.map((answer) => ({
      ...answer,
      request: dataOf(answer.request),
      ...(answer.reply === undefined ? {} : { reply: dataOf(answer.reply) }),
      ...(answer.error === undefined
        ? {}
        : { error: { ...answer.error, details: dataOf(answer.error.details) } }),
    })),
    tools: record.tools.map(dataOf),
    spans: record.spans.map((span) => ({
      ...span,
      attributes: dataOf((span["attributes"] ?? {}) as JsonObject),
    })),
    checkpoint: {
      before: { ...before, state: stateOf(before.state) },
      after: { ...after, state: stateOf(after.state) },
    },
    state: stateOf(record.state),
  };
}

function called(
  redact: Extract<Redact, (...given: never[]) => unknown>,
  state: JsonObject,
  agent: string,
): JsonObject {
  try {
    return redact(state, agent) as JsonObject;
  } catch {
    return { redacted: "redact failed" };
  }
}
