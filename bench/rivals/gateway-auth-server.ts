/** `node gateway-auth-server.ts <middleware path>…`: `POST /agents/echo` behind that middleware; prints `port <number>`. */
import process from "node:process";
import {
  Agent,
  child,
  createTextLog,
  httpGateway,
  type Message,
  Runtime,
  supervisor,
} from "agentrt";
import { RateLimiter } from "agentrt/gateway";

class EchoAgent extends Agent {
  override async handle(message: Message) {
    return { sequence: message.payload["sequence"] ?? 0 };
  }
}

const runtime = new Runtime({
  log: createTextLog({ write: () => undefined }),
  supervision: supervisor("root", {
    children: [
      child(EchoAgent, "echo"),
      child(RateLimiter, "rate_limiter", {
        config: { max_requests: 1_000_000, window_seconds: 60 },
      }),
      httpGateway("api", { host: "127.0.0.1", port: 0, middleware: process.argv.slice(2) }),
    ],
  }),
  onListening: ({ port }) => process.stdout.write(`port ${port}\n`),
});
await runtime.start();
