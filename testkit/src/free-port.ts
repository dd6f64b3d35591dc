import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type Server } from "node:net";
import process from "node:process";

/**
 * Below the ports that systems hand out for connections (Linux from 32768, others from 49152), so that no
 * connection of a client takes a port between its choice and its use.
 */
const firstPort = 20_000;
const blockCount = 120;
const blockSize = 100;

const host = "127.0.0.1";

/** Listens on the first port of a block: as long as this process lives, the block is its own. */
async function claimBlock(block: number): Promise<Server | undefined> {
  const server = createServer();
  const isOurs = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(firstPort + block * blockSize, host, () => resolve(true));
  });
  server.unref();
  return isOurs ? server : undefined;
}

/** The ports of the blocks that this process claims, each once. */
async function* claimedPorts(): AsyncGenerator<number, never> {
  for (let count = 0; count < blockCount; count += 1) {
    const block = (process.pid + count) % blockCount;
    const claim = await claimBlock(block);
    if (claim === undefined) continue;
    for (let offset = 1; offset < blockSize; offset += 1)
      yield firstPort + block * blockSize + offset;
  }
  throw new Error(`every port from ${firstPort} to ${firstPort + blockCount * blockSize} is taken`);
}

/** True when a server may listen on the port, over TCP and over UDP. */
async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const socket = createSocket("udp4");
  try {
    server.listen(port, host);
    await once(server, "listening");
    socket.bind(port, host);
    await once(socket, "listening");
    return true;
  } catch {
    return false;
  } finally {
    if (server.listening) await new Promise((resolve) => server.close(resolve));
    await new Promise<void>((resolve) => socket.close(resolve));
  }
}

const ports = claimedPorts();

/**
 * A port of 127.0.0.1 on which nothing listened a moment ago, for TCP and for UDP. No other call gives it, neither in
 * this process nor in another that runs at the same time.
 *
 * @throws `Error` when all 11 880 ports are taken.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const { value: port } = await ports.next();
    if (await isFree(port)) return port;
  }
}
