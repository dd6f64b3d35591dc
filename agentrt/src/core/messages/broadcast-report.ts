/** How a broadcast went. */
export interface BroadcastReport {
  /** Agents in whose mailbox it is. */
  readonly receiverCount: number;
  /** Agents whose name matched, but who did not take it: stopped, or no room in time. */
  readonly failures: readonly BroadcastFailure[];
}

/** An agent that did not take a broadcast. */
export interface BroadcastFailure {
  readonly name: string;
  readonly error: Error;
}
