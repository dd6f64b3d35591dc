/** A message that a broker keeps until it is known what became of it. */
export interface StoredDelivery {
  readonly bytes: Uint8Array;
  /** Of one that comes again: how often its handling was begun since, by `noteBegin`; undefined the first time. */
  readonly beginCount?: number | undefined;
  /** It was handled, or never will be: the broker forgets it. */
  done(): void;
  /** It comes again after that time, to the process that takes the topic then. */
  later(delayMs: number): void;
  /**
   * It waits with the broker for this process, which keeps nothing of it but where it is. What was said of it before counts no more.
   *
   * @param isAgain True for one whose handling may have begun. Default false.
   * @returns Reads it again: `take` gets it, or undefined for one that is gone. Those that are asked for come in that order, and before
   *   all that comes later.
   */
  park(isAgain?: boolean): (take: (delivery: StoredDelivery | undefined) => void) => void;
}

/** A message on its way to where it is kept. */
export interface StoredMessage {
  readonly topic: string;
  readonly bytes: Uint8Array;
  /** A second one of the same id is the same message. */
  readonly id: string;
  /** Monotonic time until which it is tried. */
  readonly deadlineMs: number;
}

/** What a link can do whose broker keeps messages: they wait for a process that is away. */
export interface StoredTopics {
  /** Messages that came again although they were handled, or were sent twice; they were left out. */
  readonly duplicateCount: number;
  /**
   * Hands a message over to be kept.
   *
   * @returns Settles when the broker has it.
   * @throws AGENTRT_LINK_NOT_STORED, AGENTRT_LINK_STREAM_FULL, AGENTRT_LINK_FULL.
   */
  store(message: StoredMessage): Promise<void>;
  /**
   * Keeps how often the handling of a message was begun that comes again. It waits while the broker is away.
   *
   * @returns Settles when the broker has it.
   */
  noteBegin(id: string, beginCount: number): Promise<void>;
  /**
   * Takes what is kept for a topic, and what comes.
   *
   * @param receive Called for each message. It must not throw. A message for which nothing is said comes again.
   * @param hasLines True where messages for many keys come, most of which may be parked: more are given out then. Default false.
   * @returns Ends it: what is kept waits.
   */
  take(topic: string, receive: (delivery: StoredDelivery) => void, hasLines?: boolean): () => void;
}
