/** `node http2-server.ts agentrt|node`: serves `POST /agents/echo` over clear-text HTTP/2 and prints `port <number>`. */
import { createServer, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { serveAgentrt } from "./agentrt-gateway.ts";

/** The floor: what Node's own server takes for the same JSON, with no routes, checks, limits or agents. */
function serveNode(): Promise<number> {
  const server = createServer();
  server.on("stream", (stream: ServerHttp2Stream) => {
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as { sequence: number };
      const text = JSON.stringify({ sequence: body.sequence });
      stream.respond({
        ":status": 200,
        "content-type": "application/json",
        "content-length": Buffer.byteLength(text),
      });
      stream.end(text);
    });
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

const servers: { readonly [name: string]: () => Promise<number> } = {
  agentrt: serveAgentrt,
  node: serveNode,
};

const serve = servers[process.argv[2] ?? ""];
if (serve === undefined) throw new Error("usage: http2-server.ts agentrt|node");
process.stdout.write(`port ${await serve()}\n`);
