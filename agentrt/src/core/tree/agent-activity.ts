import type { MessageDigest } from "../messages/index.ts";
import type { ListeningAddress } from "../ports/index.ts";

/** A message that is being handled. */
export interface MessageAtHand extends MessageDigest {
  /** When its handling began, to a quarter of a second where the tree has a control plane: wall-clock milliseconds since the Unix epoch. */
  readonly sinceMs: number;
  /** 0 at first, one more for each retry in place. */
  readonly attempt: number;
}

/** An answer from outside that an agent waits for. */
export interface AwaitedCall {
  readonly kind: "model" | "tool";
  /** Of the model provider that is asked at the moment, or the full name of the tool. */
  readonly name: string;
  /** Since when it is waited for, or for its next part: wall-clock milliseconds since the Unix epoch. */
  readonly sinceMs: number;
}

/** The model that an agent waits for, as in `AwaitedCall`. */
export type AwaitedModel = Pick<AwaitedCall, "name" | "sinceMs">;

/** What an agent, a pool or a key does at one moment. Plain values. */
export interface AgentActivity {
  /** Name of the class of its object; null when it has none. */
  readonly className: string | null;
  /** The messages that are being handled, those of all members of a pool and of all keys of a keyed agent. */
  readonly atHand: readonly MessageAtHand[];
  /** Messages that wait. */
  readonly mailboxDepth: number;
  /** When the oldest of these was sent: wall-clock milliseconds since the Unix epoch; null when none waits. */
  readonly oldestMs: number | null;
  /** True while the state store has not answered: it reads or saves a state, or what was spent of a budget. */
  readonly awaitsStore: boolean;
  /** The answer of a model or a tool that is waited for longest; null for none. */
  readonly awaits: AwaitedCall | null;
  /** There while it is drained and has not finished. */
  readonly drain?: DrainUnderWay;
  /** There for a gateway that listens: where. */
  readonly listeners?: readonly ListeningAddress[];
}

/** A drain that has begun and is not at its end. */
export interface DrainUnderWay {
  readonly reason: string;
  /** Who asked. */
  readonly initiatedBy: string;
  /** Wall-clock milliseconds since the Unix epoch. */
  readonly sinceMs: number;
}
