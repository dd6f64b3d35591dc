/** `node websocket-server.ts agentrt|ws`: answers each message `{"sequence":n}` with itself; prints `port <number>`. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { WebSocketServer } from "ws";
import { serveAgentrt } from "./agentrt-gateway.ts";

/** The floor: the same library without routes, agents, limits, order of replies or back-pressure. */
async function serveWs(): Promise<number> {
  const server = createServer();
  const upgrader = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: 1 << 20,
    maxFragments: 1024,
    maxBufferedChunks: 1 << 20,
    closeTimeout: 5000,
    handleProtocols: () => false,
  });
  server.on("upgrade", (message, socket, head) =>
    upgrader.handleUpgrade(message, socket, head, (opened) => {
      opened.on("message", (bytes) => {
        const { sequence } = JSON.parse(bytes.toString()) as { sequence: number };
        opened.send(JSON.stringify({ sequence }));
      });
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

const servers: { readonly [name: string]: () => Promise<number> } = {
  agentrt: () => serveAgentrt({ webSocketRoutes: [{ path: "/echo", agent: "echo" }] }),
  ws: serveWs,
};

const serve = servers[process.argv[2] ?? ""];
if (serve === undefined) throw new Error("usage: websocket-server.ts agentrt|ws");
process.stdout.write(`port ${await serve()}\n`);
