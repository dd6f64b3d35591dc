import process from "node:process";
import { reasonOf, type System } from "../../core/index.ts";
import { linkErrors } from "../errors.ts";
import type { ZmqClient } from "./client-types.ts";
import { startZapServer, type ZapServer } from "./zap-server.ts";
import {
  addressOptions,
  type CurveServerKeys,
  heartbeat,
  highWaterMarks,
  type InsideProxy,
  partBytesMax,
  serverOptions,
  type ZmqAddresses,
} from "./zmq-settings.ts";

/** What a socket that receives sends to get everything: a subscription to the empty prefix. */
const subscribeToAll = Buffer.of(1);
/** Where sockets of the same context reach its two sockets. */
const insideAddresses: ZmqAddresses = { pubAddress: "inproc://in", subAddress: "inproc://out" };
/** How long a proxy that ends goes on to send what it has, milliseconds. */
const lingerMs = 1000;

/** How often a listener is tried at an address that is taken, and the pause between two tries, milliseconds. */
const [bindTryCountMax, bindPauseMs] = [30, 50];

/** Where a proxy listens, and who may connect. */
export interface ProxySettings extends ZmqAddresses {
  /** Without them, everybody who reaches the addresses may connect, and nothing is encrypted. */
  readonly serverKeys?: CurveServerKeys | undefined;
  /** For the pauses between tries at an address that is taken; without it that is tried once. */
  readonly system?: Pick<System, "setTimer"> | undefined;
}

/** A proxy of this process. */
export interface StartedProxy {
  /** Where sockets of this process reach it: from thread to thread. */
  readonly inside: InsideProxy;
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
  { pubAddress, subAddress, serverKeys, system }: ProxySettings,
): Promise<StartedProxy> {
  const context = new client.Context();
  const shared = { linger: lingerMs, ...heartbeat };
  const front = new client.XSubscriber({
    ...shared,
    ...serverOptions(serverKeys, context),
    ...addressOptions(pubAddress),
    receiveHighWaterMark: highWaterMarks.proxy,
    maxMessageSize: partBytesMax,
  });
  const back = new client.XPublisher({
    ...shared,
    ...serverOptions(serverKeys, context),
    ...addressOptions(subAddress),
    sendHighWaterMark: highWaterMarks.proxy,
  });
  let zap: ZapServer | undefined;
  try {
    if (serverKeys !== undefined) zap = await startZapServer(client, context, serverKeys.isAllowed);
    await bind(front, pubAddress, system);
    await bind(back, subAddress, system);
    await front.bind(insideAddresses.pubAddress);
    await back.bind(insideAddresses.subAddress);
    // Senders send everything: who subscribes is then known by the proxy alone, and at one moment for all senders.
    await front.send(subscribeToAll);
  } catch (error) {
    front.close();
    back.close();
    zap?.stop();
    throw error;
  }
  const proxy = client.proxyOf(front, back);
  const ended = proxy.run();
  // A process that ends without a stop would wait for its thread.
  const terminate = (): void => proxy.terminate();
  process.once("exit", terminate);
  return {
    inside: { ...insideAddresses, context },
    stop: async () => {
      process.off("exit", terminate);
      terminate();
      await ended;
      zap?.stop();
    },
  };
}

async function bind(
  socket: { bind(address: string): Promise<void> },
  address: string,
  system: ProxySettings["system"],
): Promise<void> {
  for (let tryCount = 1; ; tryCount += 1)
    try {
      await socket.bind(address);
      return;
    } catch (cause) {
      // The library frees the address of a proxy that has stopped a moment later, in another thread.
      const isTaken = (cause as { readonly code?: unknown }).code === "EADDRINUSE";
      if (!isTaken || system === undefined || tryCount === bindTryCountMax)
        throw new linkErrors.PROXY({ address, reason: reasonOf(cause) }, { cause });
      await new Promise<void>((resolve) => void system.setTimer(bindPauseMs, resolve));
    }
}
