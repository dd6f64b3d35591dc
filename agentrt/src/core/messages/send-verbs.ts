import type { JsonObject } from "../values/index.ts";
import type { BroadcastReport } from "./broadcast-report.ts";
import type { OutgoingPayload, SendOptions } from "./send-options.ts";

/**
 * The ways to send a message, each declared once: `AgentPort` has them as they are, `Bus` with the sender before the
 * other parameters. To add one, declare it here and write it in `Agent` (its public form), in `AgentAccess`
 * (whether the agent may still send, and its counters) and in `MessageBus` (the delivery).
 */
export interface SendVerbs {
  /** Sends a request and waits for its reply. */
  call(to: string, payload: OutgoingPayload, options?: SendOptions): Promise<JsonObject>;
  /** Sends a message; settles once it is in the receiver's mailbox. */
  send(to: string, payload: OutgoingPayload, options?: SendOptions): Promise<void>;
  /** The same, marked as a cast for a GenServer. */
  cast(to: string, payload: OutgoingPayload, options?: SendOptions): Promise<void>;
  /** Sends a message to every agent whose name matches. */
  broadcast(
    pattern: string,
    payload: OutgoingPayload,
    options?: SendOptions,
  ): Promise<BroadcastReport>;
  /** Sends a message to one agent, chosen at random, of those that declare a capability. Its name is the answer. */
  sendCapable(tag: string, payload: OutgoingPayload, options?: SendOptions): Promise<string>;
  /** Sends a request to one agent, chosen so, and waits for its reply. */
  callCapable(tag: string, payload: OutgoingPayload, options?: SendOptions): Promise<JsonObject>;
}
