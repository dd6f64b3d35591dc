/** How many WebSocket messages a second does a supervised agent answer through the gateway, compared with bare `ws`? */
import type { Bench, Contender } from "./bench.ts";
import { served } from "./rivals/served.ts";
import { webSocketLane } from "./rivals/websocket-lane.ts";

const connectionCount = 32;

function contender(name: string): Contender {
  const lanes = Array.from({ length: connectionCount }, () => webSocketLane);
  return served({
    name,
    server: new URL("./rivals/websocket-server.ts", import.meta.url),
    args: [name],
    callCount: 100_000,
    lanes,
  });
}

export const bench: Bench = {
  question: "WebSocket messages answered a second: 32 connections, one message at a time on each",
  operation: "message",
  contenders: [contender("agentrt"), contender("ws")],
};
