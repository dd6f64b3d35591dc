/** The transports that processes of a topology can meet over, each with its broker where it has one. */
import { freePort, skipUnless, startNats } from "testkit";

/** One of them. */
export interface TransportCase {
  readonly name: "nats" | "zmq";
  /** {@inheritDoc DeploymentBody.mode} */
  readonly mode: string;
  readonly skip: string | false;
  /** Starts its broker, where it has one; `section` is what the topology says. */
  readonly open: () => Promise<AsyncDisposable & { readonly section: string }>;
}

/** All of them. */
export const transportCases: readonly TransportCase[] = [
  {
    name: "nats",
    mode: "distributed",
    skip: skipUnless("nats-server"),
    open: async () => {
      const server = await startNats();
      const section = `{ type: nats, servers: "${server.url}" }`;
      return { section, [Symbol.asyncDispose]: async () => await server[Symbol.asyncDispose]() };
    },
  },
  {
    name: "zmq",
    mode: "multi_process",
    skip: false,
    open: async () => {
      const [pub, sub] = [await freePort(), await freePort()];
      const section = `{ type: zmq, pub_addr: "tcp://127.0.0.1:${pub}", sub_addr: "tcp://127.0.0.1:${sub}" }`;
      return { section, [Symbol.asyncDispose]: async () => undefined };
    },
  },
];
