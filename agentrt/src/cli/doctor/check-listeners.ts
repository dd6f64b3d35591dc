import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";
import type { Finding } from "./finding.ts";
import type { WantedPort } from "./listener-nodes.ts";

/**
 * Tries to listen where a topology wants to, and stops at once.
 *
 * @param ports Where.
 * @param options.isRunning Whether the topology runs already: its own listeners are then no fault.
 */
export async function checkListeners(
  ports: readonly WantedPort[],
  { isRunning }: { readonly isRunning: boolean },
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const wanted of ports) findings.push(await checkPort(wanted, isRunning));
  return findings;
}

async function checkPort(wanted: WantedPort, isRunning: boolean): Promise<Finding> {
  const { node, key, protocol, host, port } = wanted;
  const what = `${protocol} port ${port} of "${node}" at ${host}`;
  const check = "listeners";
  try {
    await (protocol === "tcp" ? tryTcp(host, port) : tryUdp(host, port));
    const isChosen = port === 0 ? " (the system chooses one)" : " is free";
    return { check, state: "ok", message: `${what}${isChosen}` };
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE" && isRunning)
      return { check, state: "ok", message: `${what} is held; the topology answers, so it runs` };
    const [reason, remedy] = reasons[code] ?? [`cannot be listened on (${code})`, `change ${key}`];
    return { check, state: "failed", message: `${what} ${reason}`, remedy };
  }
}

const reasons: { readonly [code: string]: readonly [reason: string, remedy: string] } = {
  EADDRINUSE: [
    "is held by another program",
    "end that program (ss -lptun names it), or change the port",
  ],
  EACCES: [
    "may not be listened on by this user",
    "take a port above 1023, or allow it: setcap cap_net_bind_service, or net.ipv4.ip_unprivileged_port_start",
  ],
  EADDRNOTAVAIL: ["is at no address of this machine", "set host to an address of this machine"],
  ENOTFOUND: ["is at a name that nobody knows", "set host to an address of this machine"],
};

async function tryTcp(host: string, port: number): Promise<void> {
  const server = createServer();
  server.listen({ host, port, exclusive: true });
  await once(server, "listening");
  server.close();
  await once(server, "close");
}

async function tryUdp(host: string, port: number): Promise<void> {
  const socket = createSocket(host.includes(":") ? "udp6" : "udp4");
  try {
    socket.bind({ address: host, port, exclusive: true });
    await once(socket, "listening");
  } finally {
    socket.close();
  }
}
