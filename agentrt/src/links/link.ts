import type { StoredTopics } from "./stored-topics.ts";

/**
 * What carries bytes between the processes of a topology: a broker that all of them reach. Topics are addresses, as agents'
 * names are; a link writes them in a way that its broker takes for one plain topic.
 */
export interface Link {
  /** As a topology names it. */
  readonly name: string;
  /** Messages that it has lost, as far as that is known; undefined for a link that cannot know. */
  readonly losses?: { readonly unsentCount: number; readonly missingCount: number } | undefined;
  /** Messages that came and were refused, by reason; undefined for a link that refuses none. */
  readonly refused?: { readonly [reason: string]: number };
  /** For a broker that keeps messages; undefined where what nobody takes is lost. */
  readonly stored?: StoredTopics | undefined;
  /** Most bytes of one message. */
  readonly messageBytesMax: number;
  /** Connects; settles when it is connected. */
  start(): Promise<void>;
  /**
   * Hands bytes over. Nothing says whether they arrive.
   *
   * @param topic Whom they are for.
   * @param bytes Not changed afterwards.
   * @throws AGENTRT_LINK_DOWN while it is known that nothing can be sent.
   */
  publish(topic: string, bytes: Uint8Array): void;
  /**
   * Takes what comes for a topic.
   *
   * @param topic An address.
   * @param receive Called for each message, in the order of each sender. It must not throw.
   * @returns Ends it. Settles when the broker knows of it: what is sent from now on comes.
   */
  subscribe(topic: string, receive: (bytes: Uint8Array) => void): Promise<() => void>;
  /** Settles when everything published before has left this process, and reached the broker where that answers. */
  flush(): Promise<void>;
  /** Calls back each time that it is connected again: what was on its way meanwhile may be lost. */
  onRejoined(callback: () => void): void;
  /** Sends what was published, and disconnects; twice is harmless. */
  stop(): Promise<void>;
}
