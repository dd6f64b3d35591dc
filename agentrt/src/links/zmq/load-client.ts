import type { ZmqClient } from "./client-types.ts";

/** Loads the client library; it is installed only by those who want it. */
export async function loadZmqClient(): Promise<ZmqClient> {
  const { Publisher, Subscriber, XPublisher, XSubscriber, Proxy } = await import("zeromq");
  return {
    Publisher,
    Subscriber,
    XPublisher,
    XSubscriber,
    proxyOf: (front, back) =>
      new Proxy(front as InstanceType<typeof XSubscriber>, back as InstanceType<typeof XPublisher>),
  };
}
