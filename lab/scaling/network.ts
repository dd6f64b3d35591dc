import type { System } from "../../agentrt/src/core/index.ts";
import type { Link } from "../../agentrt/src/links/index.ts";
import { exactMs, type Processor } from "./processors.ts";

/** What messages cost. */
export interface NetworkCosts {
  /** Of the broker's processor for one message, microseconds. */
  readonly brokerMessageUs: number;
  /** From one machine to another one, milliseconds. */
  readonly hopMs: number;
}

interface Receiver {
  readonly processor: Processor;
  readonly messageUs: number;
  readonly receive: (bytes: Uint8Array) => void;
}

/** A broker, and links to it: each message takes time of the broker, and of each receiver. */
export class SimulatedNetwork {
  readonly #clock: Pick<System, "setTimer">;
  readonly #broker: Processor;
  readonly #costs: NetworkCosts;
  readonly #receivers = new Map<string, Set<Receiver>>();
  /** Messages of agents, and of processes about processes, that the broker has had. */
  readonly counts = { calls: 0, control: 0 };

  constructor(clock: Pick<System, "setTimer">, broker: Processor, costs: NetworkCosts) {
    this.#clock = clock;
    this.#broker = broker;
    this.#costs = costs;
  }

  /** @param messageUs Time of this process for a message that it gets, and for what it sends because of it, microseconds. */
  linkOf(processor: Processor, messageUs: number): Link {
    return {
      name: "nats",
      messageBytesMax: 1 << 20,
      start: async () => {},
      publish: (topic, bytes) => this.#hop(() => this.#carry(topic, bytes)),
      subscribe: async (topic, receive) => {
        const receivers = this.#receivers.get(topic) ?? new Set();
        const receiver = { processor, messageUs, receive };
        this.#receivers.set(topic, receivers.add(receiver));
        return () => void receivers.delete(receiver);
      },
      onRejoined: () => undefined,
      flush: async () => {},
      stop: async () => {},
    };
  }

  #carry(topic: string, bytes: Uint8Array): void {
    const pass = (): void => {
      this.counts[isOfProcesses(topic) ? "control" : "calls"] += 1;
      for (const { processor, messageUs, receive } of this.#receivers.get(topic) ?? [])
        this.#hop(() => processor.work(messageUs, () => receive(bytes), bytes.length));
    };
    this.#broker.work(this.#costs.brokerMessageUs, pass, bytes.length);
  }

  #hop(arrive: () => void): void {
    const { hopMs } = this.#costs;
    if (hopMs === 0) arrive();
    else this.#clock.setTimer(exactMs(hopMs), arrive);
  }
}

/** What processes say about themselves: registrations, probes, who has what, and the answers. */
function isOfProcesses(topic: string): boolean {
  return topic.startsWith("_agency.") || topic.startsWith("_control.");
}
