import { busErrors, type Message, type Registration } from "../core/index.ts";
import type { Transport } from "./transport.ts";

/** The transport inside one process: the message goes straight into the receiver's mailbox. */
export class InProcessTransport implements Transport {
  readonly name = "in_process";

  deliver(
    message: Message,
    route: Registration,
    deadlineMs: number | undefined,
  ): Promise<void> | undefined {
    const { address } = route;
    if (address === undefined) throw new busErrors.NO_ROUTE({ address: route.name });
    return address.accept(message, deadlineMs);
  }

  async start(): Promise<void> {}

  async stop(): Promise<void> {}
}
