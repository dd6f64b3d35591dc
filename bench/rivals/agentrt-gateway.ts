import { Agent, child, createTextLog, type Message, Runtime, supervisor } from "agentrt";
import { httpGatewaySpec } from "agentrt/gateway";

class EchoAgent extends Agent {
  override async handle(message: Message) {
    return { sequence: message.payload["sequence"] ?? 0 };
  }
}

/**
 * Serves `POST /agents/echo` as a user does: an agent and a gateway in a supervised tree.
 *
 * @returns The port.
 */
export async function serveAgentrt(): Promise<number> {
  const listening = Promise.withResolvers<number>();
  const runtime: Runtime = new Runtime({
    log: createTextLog({ write: () => undefined }),
    supervision: supervisor("root", {
      children: [
        child(EchoAgent, "echo"),
        httpGatewaySpec(
          "api",
          { host: "127.0.0.1", port: 0 },
          {
            get system() {
              return runtime.system;
            },
            environment: {},
            hasAgent: (name) => runtime.registry.get(name)?.kind === "agent",
            onListening: ({ port }) => listening.resolve(port),
          },
        ),
      ],
    }),
  });
  await runtime.start();
  return await listening.promise;
}
