import { linkErrors } from "../errors.ts";
import type { Link } from "../link.ts";

type Receive = (bytes: Uint8Array) => void;

/** Carries messages between links of one process, in the turn behind. */
export class MemoryBroker {
  readonly #receivers = new Map<
    string,
    Set<{ readonly name: string; readonly receive: Receive }>
  >();
  readonly #rejoined = new Map<string, (() => void)[]>();
  /** Links that say nothing any more, and do not know it. */
  readonly silent = new Set<string>();
  readonly #cut = new Set<string>();
  readonly #deaf = new Set<string>();

  /** Makes the link of a process. */
  linkOf(name: string): Link {
    return {
      name: "memory",
      messageBytesMax: 1 << 20,
      start: async () => {},
      publish: (topic, bytes) => {
        if (this.#cut.has(name)) throw new linkErrors.DOWN({ link: "memory", address: topic });
        if (this.silent.has(name)) return;
        for (const each of this.#receivers.get(topic) ?? [])
          queueMicrotask(() => {
            if (!this.#deaf.has(each.name)) each.receive(bytes);
          });
      },
      subscribe: async (topic, receive) => {
        const all = this.#receivers.get(topic) ?? new Set();
        const one = { name, receive };
        this.#receivers.set(topic, all.add(one));
        return () => void all.delete(one);
      },
      flush: async () => {},
      onRejoined: (callback) => {
        this.#rejoined.set(name, [...(this.#rejoined.get(name) ?? []), callback]);
      },
      stop: async () => {},
    };
  }

  /** Cuts the connection of a process: nothing comes to it, and nothing of it leaves. */
  cut(name: string): void {
    this.#cut.add(name);
    this.#deaf.add(name);
  }

  /** Connects it again. */
  mend(name: string): void {
    this.#cut.delete(name);
    this.#deaf.delete(name);
    for (const callback of this.#rejoined.get(name) ?? []) callback();
  }
}
