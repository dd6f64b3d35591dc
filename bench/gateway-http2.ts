/** How many HTTP/2 calls a second does a supervised agent answer through the gateway, compared with bare node:http2? */
import type { Bench, Contender } from "./bench.ts";
import { http2Lane } from "./rivals/http2-lane.ts";
import { served } from "./rivals/served.ts";

const connectionCount = 8;
const streamCount = 4;

const text = (sequence: number): string => `{"sequence":${sequence}}`;

const lane = http2Lane(streamCount, {
  path: "/agents/echo",
  headers: [["content-type", "application/json"]],
  body: (sequence) => Buffer.from(text(sequence)),
  isReply: (body, sequence) => body.toString("latin1") === text(sequence),
});

function contender(name: string): Contender {
  const lanes = Array.from({ length: connectionCount }, () => lane);
  return served({
    name,
    server: new URL("./rivals/http2-server.ts", import.meta.url),
    args: [name],
    callCount: 100_000,
    lanes,
  });
}

export const bench: Bench = {
  question:
    "HTTP/2 calls a second: POST /agents/echo on 8 clear-text connections with 4 streams at a time on each",
  operation: "request",
  contenders: [contender("agentrt"), contender("node")],
};
