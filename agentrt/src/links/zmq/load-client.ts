import { reasonOf } from "../../core/index.ts";
import { installCommandOf } from "../../link-clients/index.ts";
import { linkErrors } from "../errors.ts";
import type { ZmqClient } from "./client-types.ts";

/**
 * Loads the client library; it is installed only by those who want it.
 *
 * @param load Loads it. Default: the package of the user.
 * @throws AGENTRT_LINK_CLIENT_MISSING, AGENTRT_LINK_CLIENT_BROKEN.
 */
export async function loadZmqClient(
  load: () => Promise<ZmqClient> = importClient,
): Promise<ZmqClient> {
  try {
    return await load();
  } catch (cause) {
    const link = "zmq";
    if ((cause as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND")
      throw new linkErrors.CLIENT_MISSING({ link, install: installCommandOf(link) }, { cause });
    // Its native part has no form for this machine.
    throw new linkErrors.CLIENT_BROKEN({ link, reason: reasonOf(cause) }, { cause });
  }
}

/**
 * Makes a pair of CURVE keys, each 40 characters of Z85.
 *
 * @throws AGENTRT_LINK_CLIENT_MISSING, AGENTRT_LINK_CLIENT_BROKEN.
 */
export async function makeCurveKeys(): Promise<{
  readonly publicKey: string;
  readonly secretKey: string;
}> {
  const client = await loadZmqClient();
  return client.curveKeyPair();
}

/** The library's number of the option that says how much a socket keeps before it stops to read from its peer. */
const receiveHighWaterMark = 24;

async function importClient(): Promise<ZmqClient> {
  const { Proxy, Publisher: LibraryPublisher, ...client } = await import("zeromq");
  type ProxySockets = ConstructorParameters<typeof Proxy>;
  const proxyOf = (...sockets: ProxySockets): InstanceType<typeof Proxy> => new Proxy(...sockets);
  /**
   * A proxy tells each sender the subscriptions of all processes, and a sender looks at them when it sends. One that is idle would
   * stop to read at the thousandth, so also heartbeats, and would be taken for dead.
   */
  class Publisher extends LibraryPublisher {
    constructor(options: ConstructorParameters<typeof LibraryPublisher>[0]) {
      super(options);
      this.setInt32Option(receiveHighWaterMark, 0);
    }
  }
  // Sockets and contexts are classes of theirs, which ours describe in part.
  return { ...client, Publisher, proxyOf } as unknown as ZmqClient;
}
