import {
  Agent,
  child,
  createTextLog,
  httpGateway,
  type HttpGatewayNodeOptions,
  type Message,
  Runtime,
  type RuntimeOptions,
  supervisor,
} from "agentrt";
import { RateLimiter } from "agentrt/gateway";

class EchoAgent extends Agent {
  override async handle(message: Message) {
    return { sequence: message.payload["sequence"] ?? 0 };
  }
}

/**
 * Serves the agent `echo` as a user does: an agent and a gateway in a supervised tree.
 *
 * @param options Of the gateway, except its address.
 * @param tracing Where spans go; by default none are made.
 * @returns The port.
 */
export async function serveAgentrt(
  options: HttpGatewayNodeOptions = {},
  tracing: Pick<RuntimeOptions, "exporters" | "sampling"> = {},
): Promise<number> {
  const listening = Promise.withResolvers<number>();
  const runtime: Runtime = new Runtime({
    ...tracing,
    log: createTextLog({ write: () => undefined }),
    supervision: supervisor("root", {
      children: [
        child(EchoAgent, "echo"),
        child(RateLimiter, "rate_limiter", {
          config: { max_requests: 1_000_000, window_seconds: 60 },
        }),
        httpGateway("api", { ...options, host: "127.0.0.1", port: 0 }),
      ],
    }),
    onListening: ({ port }) => listening.resolve(port),
  });
  await runtime.start();
  return await listening.promise;
}
