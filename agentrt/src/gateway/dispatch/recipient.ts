import type { AgentBus } from "../ports.ts";

/** Who gets what clients send: the agent of a name, or each time one that declares a capability. */
export type Recipient = string | { readonly capability: string };

/** The two keys of a route of which there has to be one. */
export interface RecipientConfig {
  /** Name of the agent. This or `capability`. */
  readonly agent?: string | undefined;
  /** What the agent must declare: each message goes to one that does and takes messages, chosen at random. */
  readonly capability?: string | undefined;
}

/**
 * Reads who gets what comes over a route.
 *
 * @param config Of the route.
 * @param refuse Makes the error from a reason.
 * @returns The recipient.
 */
export function readRecipient(
  { agent, capability }: RecipientConfig,
  refuse: (reason: string) => Error,
): Recipient {
  if (agent !== undefined && capability !== undefined)
    throw refuse("it has an agent and a capability, wanted one of both");
  if (agent !== undefined) return agent;
  if (capability === undefined) throw refuse("it has no agent and no capability");
  return { capability };
}

/**
 * Says for the API's description and the log who gets what clients send.
 *
 * @param config Of a route.
 */
export function shownRecipient({ agent, capability }: RecipientConfig): string {
  return agent ?? capability ?? "";
}

/**
 * Finds the agent for one message.
 *
 * @param recipient Of its route.
 * @param bus Knows who declares what.
 * @returns The agent's name.
 * @throws AGENTRT_BUS_NO_CAPABLE.
 */
export function agentFor(recipient: Recipient, bus: AgentBus): string {
  return typeof recipient === "string" ? recipient : bus.chooseCapable(recipient.capability);
}
