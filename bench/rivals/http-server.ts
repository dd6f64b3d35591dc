/** `node http-server.ts agentrt|node|fastify`: serves `POST /agents/echo` on a free port and prints `port <number>`. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { serveAgentrt } from "./agentrt-gateway.ts";
import { requireRival } from "./install.ts";

/** The floor: what Node's own server takes for the same JSON, with no routes, checks, limits or agents. */
function serveNode(): Promise<number> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as { sequence: number };
      const text = JSON.stringify({ sequence: body.sequence });
      response.writeHead(200, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(text),
      });
      response.end(text);
    });
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

interface FastifyServer {
  post(path: string, handler: (request: { body: { sequence: number } }) => Promise<object>): void;
  listen(where: { port: number; host: string }): Promise<string>;
}

async function serveFastify(): Promise<number> {
  const fastify = requireRival("fastify") as () => FastifyServer;
  const server = fastify();
  const answer = ({ sequence }: { sequence: number }): object => ({ sequence });
  server.post("/agents/:name", (request) => Promise.resolve(answer(request.body)));
  return Number(new URL(await server.listen({ port: 0, host: "127.0.0.1" })).port);
}

const servers: { readonly [name: string]: () => Promise<number> } = {
  agentrt: serveAgentrt,
  node: serveNode,
  fastify: serveFastify,
};

const serve = servers[process.argv[2] ?? ""];
if (serve === undefined) throw new Error("usage: http-server.ts agentrt|node|fastify");
process.stdout.write(`port ${await serve()}\n`);
