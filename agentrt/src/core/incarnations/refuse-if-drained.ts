import { agentErrors } from "../errors.ts";
import type { Address, Message } from "../messages/index.ts";
import type { Kernel } from "../tree/index.ts";

/**
 * Refuses a message for one that is drained. What an agent sends to itself belongs to the work that it has, and what has a
 * priority above 0 is handled by suspended agents, too.
 *
 * @param address Whom the message is for.
 * @param message The message.
 * @param bus Counts it.
 * @throws AGENTRT_AGENT_DRAINED.
 */
export function refuseIfDrained(
  address: Pick<Address, "isRefusing"> & { readonly name: string },
  message: Message,
  bus: Pick<Kernel["bus"], "drop">,
): void {
  if (!address.isRefusing || message.priority > 0 || message.sender === message.recipient) return;
  bus.drop(message, "refused");
  throw new agentErrors.DRAINED({ agent: address.name });
}
