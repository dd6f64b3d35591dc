import type { JsonMembers } from "../values/index.ts";

/** A reply that is given after the handler has ended, once: see `Message.defer`. */
export interface DeferredReply<Reply extends object = object> {
  /** Aborted when the reply is no longer wanted: the caller has left, its deadline has passed, or the agent has ended. */
  readonly signal: AbortSignal;
  /**
   * Answers. When the caller has left meanwhile, nothing happens.
   *
   * @param payload Plain JSON.
   * @throws AGENTRT_AGENT_REPLY_GIVEN when the reply was given already, AGENTRT_AGENT_STOPPED when the agent has ended;
   *   AGENTRT_BUS_PAYLOAD_NOT_JSON, after which it may be called again.
   */
  send<Payload extends object>(
    payload: object extends Reply ? Payload & JsonMembers<Payload> : Reply,
  ): void;
  /**
   * Answers with an error: the caller gets AGENTRT_AGENT_FAILED with this error as its cause.
   *
   * @throws AGENTRT_AGENT_REPLY_GIVEN, AGENTRT_AGENT_STOPPED.
   */
  fail(error: unknown): void;
}
