import { traceOf } from "./agent-log.ts";
import { agentErrors, busErrors } from "../errors.ts";
import { approvalErrors } from "../approvals/index.ts";
import { circuitErrors } from "../resilience/index.ts";
import { reasonOf } from "../values/index.ts";
import type { Kernel, AgentStatus } from "../tree/index.ts";
import type { Log } from "../ports/index.ts";
import { type DropReason, messageInternals, type Message } from "../messages/index.ts";

/** Why an agent gave up a message: the agent's name and the error. */
export interface MessageFailure {
  readonly agent: string;
  readonly error: unknown;
}

/**
 * Logs that an agent crashed, and what it was doing.
 *
 * @param log The agent's.
 * @param at What it crashed with, its status before, and the message at hand.
 */
export function logCrash(
  log: Log,
  at: {
    readonly error: unknown;
    readonly status: AgentStatus;
    readonly message: Message | undefined;
  },
): void {
  const { error, status, message } = at;
  if (error instanceof agentErrors.RESTART_REQUESTED) {
    log.info("agent ends for a restart on request", error.details);
    return;
  }
  const shown = error ?? String(error);
  if (message === undefined) {
    const during = status === "INITIALIZING" ? "start" : "no message";
    log.error("agent crashed", { during, error: shown });
    return;
  }
  const { type, sender, id, attempt } = message;
  log.error("agent crashed", {
    ...traceOf(message),
    during: "handle",
    type,
    sender: sender === "" ? undefined : sender,
    id,
    attempt: attempt > 0 ? attempt : undefined,
    error: shown,
  });
}

/** Fails the message that an agent crashed on. */
export function failCrashed({ bus }: Kernel, message: Message, failure: MessageFailure): void {
  const { agent, error } = failure;
  // An error costs as much as half of a restart: none is made for a cast, which nobody waits for.
  messageInternals
    .replyOf(message)
    ?.reject(
      error instanceof approvalErrors.ELSEWHERE
        ? error
        : new agentErrors.CRASHED({ agent, reason: reasonOf(error) }, { cause: error }),
    );
  bus.drop(message, reasonAfter(error, "crashed"));
}

/** One that had to ask for an approval which another process keeps by now was not handled: where a broker keeps it, it comes again. */
function reasonAfter(error: unknown, otherwise: DropReason): DropReason {
  return error instanceof approvalErrors.ELSEWHERE ? "stopped" : otherwise;
}

/** Fails a message that `onError` passed over, or that a circuit refused: its caller learns when to come again. */
export function failSkipped({ bus }: Kernel, message: Message, failure: MessageFailure): void {
  const { agent, error } = failure;
  const reply = messageInternals.replyOf(message);
  if (reply !== undefined) {
    reply.reject(
      error instanceof circuitErrors.OPEN || error instanceof approvalErrors.ELSEWHERE
        ? error
        : new agentErrors.FAILED({ agent, reason: reasonOf(error) }, { cause: error }),
    );
  }
  bus.drop(message, reasonAfter(error, "skipped"));
}

/** Fails a message whose handling is not waited for, because its agent ends. */
export function failStopped({ bus }: Kernel, message: Message, agent: string): void {
  messageInternals.replyOf(message)?.reject(new agentErrors.STOPPED({ agent }));
  bus.drop(message, "stopped");
}

/** Drops a message whose caller waits no longer. It has its error already. */
export function failUnwanted({ bus }: Kernel, message: Message): void {
  bus.drop(message, messageInternals.replyOf(message)?.callerGone ?? "abandoned");
}

/**
 * Fails a message that waited longer than its `ttlMs`.
 *
 * @returns False when it is not too old.
 */
export function failExpired({ bus, system }: Kernel, message: Message, agent: string): boolean {
  const ageMs = system.monotonicMs() - messageInternals.sentAtMsOf(message);
  if (ageMs <= (message.ttlMs ?? Number.POSITIVE_INFINITY)) return false;
  const details = { address: agent, ttlMs: message.ttlMs ?? 0 };
  messageInternals.replyOf(message)?.reject(new busErrors.EXPIRED(details));
  bus.drop(message, "expired");
  return true;
}
