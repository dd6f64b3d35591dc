import { type Agent, GenServer, isThenable } from "../agents/index.ts";
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
  const begins = messageInternals.receiptOf(message)?.begins;
  if (begins !== undefined && message.attempt === 0)
    return handleCounted(begins, () => handleNow(kernel, agent, message, watchdog));
  return handleNow(kernel, agent, message, watchdog);
}

/** A message that may have ended its process before is counted first. */
async function handleCounted(
  begins: () => Promise<boolean>,
  handle: () => HandleResult | PromiseLike<HandleResult>,
): Promise<HandleResult> {
  return (await begins()) ? await handle() : undefined;
}

// oxlint-disable-next-line max-params -- called for each message: no object for its parameters
function handleNow(
  kernel: Kernel,
  agent: Agent,
  message: Message,
  watchdog: Watchdog | undefined,
): HandleResult | PromiseLike<HandleResult> {
  const { tracer } = kernel;
  if (tracer?.isSampled(message) === true)
    return handleTraced(kernel, tracer, { agent, message, watchdog });
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
    const endMs = Math.max(startMs, message.timestampMs);
    const name = `recv ${type}`;
    tracer.addMessageSpan(message, { name, step: "waited", startMs: message.timestampMs, endMs });
  }
  const end = (error?: unknown): void => {
    const endMs = startMs + (system.monotonicMs() - beginMs);
    const span = { agent: agent.name, startMs, endMs, error };
    if (agent instanceof GenServer)
      tracer.addMessageSpan(message, { ...span, name: genServerSpan(message), step: "served" });
    const name = attempt === 0 ? "agentrt.agent.handle" : "agentrt.agent.retry";
    tracer.addMessageSpan(message, { ...span, name, step: "handled" });
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
