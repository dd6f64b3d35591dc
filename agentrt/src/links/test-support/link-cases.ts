import { freePort, skipUnless, startNats } from "testkit";
import { createRealSystem } from "../../core/index.ts";
import { type Link, NatsLink, ZmqLink } from "../index.ts";
import { loadZmqClient } from "../zmq/load-client.ts";
import { startProxy } from "../zmq/zmq-proxy.ts";

/** What carries messages, ready for processes to meet. */
export interface Meeting extends AsyncDisposable {
  /** Makes the link of one more process. */
  linkOf(name: string): Link;
}

/** One of the transports between processes. */
export interface LinkCase {
  readonly name: "nats" | "zmq";
  /** As `node:test` takes it. */
  readonly skip: string | false;
  /** Starts its broker. */
  readonly open: () => Promise<Meeting>;
}

/** Every transport between processes: what a test shows of one it shows of all. */
export const linkCases: readonly LinkCase[] = [
  {
    name: "nats",
    skip: skipUnless("nats-server"),
    open: async () => {
      const server = await startNats();
      return {
        linkOf: (name) =>
          new NatsLink({
            servers: [server.url],
            name,
            system: createRealSystem(),
            onEvent: () => undefined,
          }),
        [Symbol.asyncDispose]: async () => await server[Symbol.asyncDispose](),
      };
    },
  },
  {
    name: "zmq",
    skip: false,
    open: async () => {
      const addresses = await freeAddresses();
      const proxy = await startProxy(await loadZmqClient(), addresses);
      return {
        linkOf: () =>
          new ZmqLink({
            ...addresses,
            isProxyStarted: false,
            system: createRealSystem(),
            onEvent: () => undefined,
          }),
        [Symbol.asyncDispose]: async () => await proxy.stop(),
      };
    },
  },
];

/** @returns Two addresses that nobody listens at. */
export async function freeAddresses(): Promise<{
  readonly pubAddress: string;
  readonly subAddress: string;
}> {
  const [pub, sub] = await Promise.all([freePort(), freePort()]);
  return { pubAddress: `tcp://127.0.0.1:${pub}`, subAddress: `tcp://127.0.0.1:${sub}` };
}
