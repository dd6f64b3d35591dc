import { type Agent, GenServer, isThenable } from "../agents/index.ts";
import { agentErrors } from "../errors.ts";
import type { Kernel } from "../tree/index.ts";
import {
  type HandleResult,
  messageInternals,
  type Message,
  type Tracer,
} from "../messages/index.ts";
import type { Watchdog } from "./watchdog.ts";

/**
 * Lets an agent handle a message. With a tracer, it records a span for the handling and one for the wait before it.
 *
 * @param kernel Has the tracer, if there is one.
 * @param agent Who handles.
 * @param message What is handled.
 * @param watchdog Enforces the handler's time limit, if there is one.
 * @returns What `handle` returns.
 */
// oxlint-disable-next-line max-params -- called for each message: no object for its parameters
export function handleMessage(
  kernel: Kernel,
  agent: Agent,
  message: Message,
  watchdog: Watchdog | undefined,
): HandleResult | PromiseLike<HandleResult> {
  const { tracer } = kernel;
  if (tracer !== undefined) return handleTraced(kernel, tracer, { agent, message, watchdog });
  const result = agent.handle(message);
  return watchdog !== undefined && isThenable(result) ? watchdog.watch(result) : result;
}

interface Handling {
  readonly agent: Agent;
  readonly message: Message;
  readonly watchdog: Watchdog | undefined;
}

function handleTraced(
  { system }: Kernel,
  tracer: Tracer,
  { agent, message, watchdog }: Handling,
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
    const span = {
      isOwn: false,
      startMs,
      endMs: startMs + (system.monotonicMs() - beginMs),
      ...(error === undefined ? {} : { error }),
    };
    if (agent instanceof GenServer) {
      const attributes = { "agentrt.agent.name": agent.name };
      tracer.addMessageSpan(message, { ...span, name: genServerSpan(message), attributes });
    }
    tracer.addMessageSpan(message, {
      ...span,
      name: attempt === 0 ? "agentrt.agent.handle" : "agentrt.agent.retry",
      attributes: {
        "agentrt.agent.name": agent.name,
        "agentrt.message.type": type,
        "agentrt.handle.attempt": attempt,
        "agentrt.handle.result": error === undefined ? "success" : "error",
        ...(error instanceof agentErrors.HANDLE_TIMEOUT ? { "agentrt.handle.timeout": true } : {}),
      },
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
  const watched = watchdog === undefined ? result : watchdog.watch(result);
  return watched.then(
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

function genServerSpan(message: Message): string {
  if (messageInternals.replyOf(message) !== undefined) return "agentrt.genserver.call";
  return messageInternals.isCast(message) ? "agentrt.genserver.cast" : "agentrt.genserver.info";
}

/** The attributes of a message's spans. */
export function messageAttributes(message: Message): { readonly [name: string]: string } {
  return {
    "agentrt.sender": message.sender,
    "agentrt.recipient": message.recipient,
    "agentrt.message_type": message.type,
    "agentrt.message_id": message.id,
  };
}
