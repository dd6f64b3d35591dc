/** How many HTTP calls a second does a supervised agent answer through the gateway, compared with Fastify and bare node:http? */
import type { Bench, Contender } from "./bench.ts";
import { http1Lane } from "./rivals/http1-lane.ts";
import { installPackages } from "./rivals/install.ts";
import { served } from "./rivals/served.ts";

const connectionCount = 32;

function contender(name: string, prepare?: Contender["prepare"]): Contender {
  return served({
    name,
    server: new URL("./rivals/http-server.ts", import.meta.url),
    args: [name],
    callCount: 100_000,
    lanes: Array.from({ length: connectionCount }, () => http1Lane()),
    ...(prepare === undefined ? {} : { prepare }),
  });
}

export const bench: Bench = {
  question:
    "HTTP calls a second: POST /agents/echo on 32 kept-alive connections, one request at a time on each",
  operation: "request",
  contenders: [contender("agentrt"), contender("node"), contender("fastify", installPackages)],
};
