import { freePort } from "./free-port.ts";
import { type NatsServer, startNats } from "./nats-server.ts";

/** Three NATS servers of one cluster, with JetStream. */
export interface NatsCluster extends AsyncDisposable {
  readonly servers: readonly NatsServer[];
  /** Where they are, for `servers` of a topology. */
  readonly urls: readonly string[];
  /** Waits until the servers that run agree on which of them places streams. @returns That one. */
  metaLeader(): Promise<NatsServer>;
}

/** Starts three NATS servers on loopback ports, which are one cluster. */
export async function startNatsCluster(): Promise<NatsCluster> {
  const names = ["one", "two", "three"];
  const places = await Promise.all(
    names.map(async (name) => ({
      name,
      port: await freePort(),
      routePort: await freePort(),
      httpPort: await freePort(),
    })),
  );
  const routes = places.map(({ routePort }) => `nats://127.0.0.1:${routePort}`).join(", ");
  const servers = await Promise.all(
    places.map(async ({ name, port, routePort, httpPort }) => {
      const cluster = `cluster { name: test, listen: "127.0.0.1:${routePort}", routes: [${routes}] }`;
      const configuration = `server_name: ${name}\nhttp: "127.0.0.1:${httpPort}"\n${cluster}`;
      return await startNats({ jetStream: true, port, configuration });
    }),
  );
  const leaderSeenBy = async (httpPort: number): Promise<string> => {
    try {
      const response = await fetch(`http://127.0.0.1:${httpPort}/jsz`);
      const { meta_cluster: meta } = (await response.json()) as {
        readonly meta_cluster?: { readonly leader?: string };
      };
      return meta?.leader ?? "";
    } catch {
      return "";
    }
  };
  return {
    servers,
    urls: servers.map(({ url }) => url),
    metaLeader: async () => {
      for (;;) {
        const seen = await Promise.all(places.map(({ httpPort }) => leaderSeenBy(httpPort)));
        const leader = names.find((name) => seen.filter((each) => each === name).length >= 2);
        const found = servers[names.indexOf(leader ?? "")];
        if (found !== undefined) return found;
      }
    },
    [Symbol.asyncDispose]: async () => {
      for (const server of servers) await server[Symbol.asyncDispose]();
    },
  };
}
