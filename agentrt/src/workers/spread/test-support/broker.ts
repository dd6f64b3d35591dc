import type { Link } from "../../../links/index.ts";

type Receive = (bytes: Uint8Array) => void;

/** Carries messages between links of one process, in the turn behind. */
export class Broker {
  readonly #receivers = new Map<
    string,
    Set<{ readonly name: string; readonly receive: Receive }>
  >();
  readonly #rejoined = new Map<string, (() => void)[]>();
  /** Links that say nothing any more. */
  readonly mute = new Set<string>();
  /** Links that hear nothing any more. */
  readonly deaf = new Set<string>();
  /** Called for each message that is carried. */
  onCarried: (topic: string, bytes: Uint8Array) => void = () => undefined;

  linkOf(name: string): Link {
    return {
      name: "memory",
      messageBytesMax: 1 << 20,
      start: async () => {},
      publish: (topic, bytes) => {
        if (!this.mute.has(name)) this.carry(topic, bytes);
      },
      subscribe: async (topic, receive) => {
        const all = this.#receivers.get(topic) ?? new Set();
        const entry = { name, receive };
        this.#receivers.set(topic, all.add(entry));
        return () => void all.delete(entry);
      },
      onRejoined: (callback) => {
        this.#rejoined.set(name, [...(this.#rejoined.get(name) ?? []), callback]);
      },
      flush: async () => {},
      stop: async () => {},
    };
  }

  /** Carries a message to those that hear it. */
  carry(topic: string, bytes: Uint8Array): void {
    this.onCarried(topic, bytes);
    for (const { name, receive } of this.#receivers.get(topic) ?? [])
      if (!this.deaf.has(name)) queueMicrotask(() => receive(bytes));
  }

  /** Cuts a process off, as a cable that is pulled. */
  cut(name: string): void {
    this.mute.add(name);
    this.deaf.add(name);
  }

  /** Lets it speak and hear again. */
  mend(name: string): void {
    this.mute.delete(name);
    this.deaf.delete(name);
    for (const callback of this.#rejoined.get(name) ?? []) callback();
  }
}
