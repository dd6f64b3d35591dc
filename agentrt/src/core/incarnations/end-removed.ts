import { agentErrors } from "../errors.ts";
import { type Message, messageInternals } from "../messages/index.ts";
import type { Bus } from "../tree/index.ts";

/** Who took a message out of which mailbox. */
export interface Removal {
  readonly agent: string;
  readonly initiatedBy: string;
}

/**
 * Ends a message that somebody took out of a mailbox: who waits for its answer gets AGENTRT_AGENT_MESSAGE_REMOVED, and it is
 * among the messages that nobody handled.
 *
 * @param bus Where it is kept.
 * @param message The message.
 * @param removal Who took it out, and where.
 */
export function endRemoved(bus: Pick<Bus, "drop">, message: Message, removal: Removal): void {
  messageInternals.replyOf(message)?.reject(new agentErrors.MESSAGE_REMOVED({ ...removal }));
  bus.drop(message, "removed");
}
