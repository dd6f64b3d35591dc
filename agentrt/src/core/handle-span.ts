import type { Agent, HandleResult } from "./agent.ts";
import { isThenable } from "./handle-result.ts";
import type { Kernel } from "./kernel.ts";
import type { Message } from "./message.ts";
import type { Tracer } from "./span.ts";

/**
 * Lets an agent handle a message; where somebody traces, that is a span, and so is the message's wait before it.
 *
 * @param kernel Has the tracer, if there is one.
 * @param agent Who handles.
 * @param message What is handled.
 * @returns What `handle` returns.
 */
export function handleMessage(
  kernel: Kernel,
  agent: Agent,
  message: Message,
): HandleResult | PromiseLike<HandleResult> {
  const { tracer } = kernel;
  return tracer === undefined
    ? agent.handle(message)
    : handleTraced(kernel, tracer, { agent, message });
}

function handleTraced(
  { system }: Kernel,
  tracer: Tracer,
  { agent, message }: { readonly agent: Agent; readonly message: Message },
): HandleResult | PromiseLike<HandleResult> {
  const { type, attempt } = message;
  const beginMs = system.monotonicMs();
  const startMs = system.wallTimeMs(beginMs);
  if (attempt === 0) {
    const attributes = messageAttributes(message);
    const endMs = Math.max(startMs, message.timestampMs);
    const wait = { startMs: message.timestampMs, endMs, isOwn: false, attributes };
    tracer.addMessageSpan(message, { name: `recv ${type}`, ...wait });
  }
  const end = (error?: unknown): void => {
    tracer.addMessageSpan(message, {
      name: attempt === 0 ? "agentrt.agent.handle" : "agentrt.agent.retry",
      isOwn: false,
      startMs,
      endMs: startMs + (system.monotonicMs() - beginMs),
      attributes: {
        "agentrt.agent.name": agent.name,
        "agentrt.message.type": type,
        "agentrt.handle.attempt": attempt,
        "agentrt.handle.result": error === undefined ? "success" : "error",
      },
      ...(error === undefined ? {} : { error }),
    });
  };
  let result: HandleResult | PromiseLike<HandleResult>;
  try {
    result = agent.handle(message);
  } catch (error) {
    end(error ?? new Error(String(error)));
    throw error;
  }
  if (!isThenable(result)) {
    end();
    return result;
  }
  return result.then(
    (settled) => {
      end();
      return settled;
    },
    (error: unknown) => {
      end(error ?? new Error(String(error)));
      throw error;
    },
  );
}

/** What the spans of a message's way say. */
export function messageAttributes(message: Message): { readonly [name: string]: string } {
  return {
    "agentrt.sender": message.sender,
    "agentrt.recipient": message.recipient,
    "agentrt.message_type": message.type,
    "agentrt.message_id": message.id,
  };
}
