/** A payload on its way out: any plain JSON object. It is checked and copied when it is sent. */
export type OutgoingPayload = object;

/** How a message is sent. */
export interface SendOptions<Type extends string = string> {
  /** Message type; default `"message"`. Types that begin with `_agency.` or `agentrt.`, in small letters or capitals, are refused. */
  readonly type?: Type | undefined;
  /**
   * Call: upper bound on the wait for the reply. Cast and send: upper bound on the wait for room in a full mailbox.
   * 1 to 2_147_483_647, or Infinity to wait for ever; default 30_000.
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Call: true fails at once with AGENTRT_AGENT_SUSPENDED when the receiver is suspended as the call is made: an agent, a
   * keyed agent or the key that is meant. One that starts for it, and finds that it is suspended, fails it then. Default
   * false: the call waits until the agent is resumed or its time is over.
   */
  readonly failIfSuspended?: boolean | undefined;
  /** Key of a keyed agent: as a message to `name/key`. Default: where the agent's own setting says. */
  readonly key?: string | undefined;
  /** Above 0: served before messages of priority 0. Default 0. */
  readonly priority?: number | undefined;
  /** Milliseconds after which the message is dropped instead of handled; default never. */
  readonly ttlMs?: number | undefined;
  /** What it belongs to, for its receiver to tell: a session, a conversation. Default: of a call its own id. */
  readonly correlationId?: string | undefined;
  /** The client's connection that it is sent for, as `message.session`. Default none. */
  readonly session?: string | undefined;
  /**
   * The trace it belongs to when it comes from outside the tree: ids as W3C Trace Context writes them. Without a
   * parent it is the root of that trace. `isSampled` says whether its spans are recorded; default what the sampling
   * ratio says.
   */
  readonly trace?:
    | {
        readonly traceId: string;
        readonly parentSpanId?: string | undefined;
        readonly isSampled?: boolean | undefined;
      }
    | undefined;
  /**
   * Ends the wait, for the reply or for room, with AGENTRT_BUS_CANCELLED. Aborted already: nothing is sent. A request
   * that is made while a message is at hand ends with that message's signal, too, and waits no longer than its
   * deadline; null makes it independent of both.
   */
  readonly signal?: AbortSignal | null | undefined;
}
