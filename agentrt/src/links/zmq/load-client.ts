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

async function importClient(): Promise<ZmqClient> {
  const { Proxy, ...client } = await import("zeromq");
  type ProxySockets = ConstructorParameters<typeof Proxy>;
  const proxyOf = (...sockets: ProxySockets): InstanceType<typeof Proxy> => new Proxy(...sockets);
  // Sockets and contexts are classes of theirs, which ours describe in part.
  return { ...client, proxyOf } as unknown as ZmqClient;
}
