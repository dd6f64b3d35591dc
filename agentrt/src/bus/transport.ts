import type { Message, Registration } from "../core/index.ts";

/**
 * Carries messages to where a name lives. The in-process one puts them into the mailbox; others take them to another
 * process, where the bus of that process does the same.
 */
export interface Transport {
  /** As a topology names it. */
  readonly name: string;
  /**
   * Takes a message whose payload is checked and belongs to nobody else.
   *
   * @param message The message.
   * @param route Whom it is for.
   * @param deadlineMs Monotonic time until which a sender waits for room; undefined for a call.
   * @returns Undefined when it was taken at once, else a promise that settles when it was.
   * @throws AGENTRT_BUS_NO_ROUTE, AGENTRT_AGENT_STOPPED.
   */
  deliver(
    message: Message,
    route: Registration,
    deadlineMs: number | undefined,
  ): Promise<void> | undefined;
  /** Opens what the transport needs. */
  start(): Promise<void>;
  /** Closes it; twice is harmless. */
  stop(): Promise<void>;
}
