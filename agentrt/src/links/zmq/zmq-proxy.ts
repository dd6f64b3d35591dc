import process from "node:process";
import { reasonOf } from "../../core/index.ts";
import { linkErrors } from "../errors.ts";
import type { ZmqClient } from "./client-types.ts";
import {
  addressOptions,
  heartbeat,
  highWaterMarks,
  partBytesMax,
  type ZmqAddresses,
} from "./zmq-settings.ts";

/** What a socket that receives sends to get everything: a subscription to the empty prefix. */
const subscribeToAll = Buffer.of(1);
/** How long a proxy that ends goes on to send what it has, milliseconds. */
const lingerMs = 1000;

/** A proxy of this process. */
export interface StartedProxy {
  /** Ends it; settles when both ports are free. */
  stop(): Promise<void>;
}

/**
 * Starts what all processes meet at: what they send comes in at one socket, and goes out at the other to those who subscribed. It
 * runs in a thread of the client library, so an agent that computes delays none of it.
 *
 * @throws AGENTRT_LINK_PROXY when it cannot listen.
 */
export async function startProxy(
  client: ZmqClient,
  { pubAddress, subAddress }: ZmqAddresses,
): Promise<StartedProxy> {
  const shared = { linger: lingerMs, ...heartbeat };
  const front = new client.XSubscriber({
    ...shared,
    ...addressOptions(pubAddress),
    receiveHighWaterMark: highWaterMarks.proxy,
    maxMessageSize: partBytesMax,
  });
  const back = new client.XPublisher({
    ...shared,
    ...addressOptions(subAddress),
    sendHighWaterMark: highWaterMarks.proxy,
  });
  try {
    await bind(front, pubAddress);
    await bind(back, subAddress);
    // Senders send everything: who subscribes is then known by the proxy alone, and at one moment for all senders.
    await front.send(subscribeToAll);
  } catch (error) {
    front.close();
    back.close();
    throw error;
  }
  const proxy = client.proxyOf(front, back);
  const ended = proxy.run();
  // A process that ends without a stop would wait for its thread.
  const terminate = (): void => proxy.terminate();
  process.once("exit", terminate);
  return {
    stop: async () => {
      process.off("exit", terminate);
      terminate();
      await ended;
    },
  };
}

async function bind(socket: { bind(address: string): Promise<void> }, address: string) {
  try {
    await socket.bind(address);
  } catch (cause) {
    throw new linkErrors.PROXY({ address, reason: reasonOf(cause) }, { cause });
  }
}
