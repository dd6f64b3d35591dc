import { type CommandContext, ResidentIndexes } from "../commands/index.ts";
import { CallQueue } from "./call-queue.ts";
import { LineTransport } from "./line-transport.ts";
import { makeMcpServer } from "./mcp-server.ts";
import { toolsOf } from "./tools.ts";

/** The streams and the context of a server. */
export interface ServeMcpOptions {
  readonly input: AsyncIterable<Uint8Array | string>;
  /** Writes to the client; resolves to false when nobody reads any more. */
  readonly write: (text: string) => Promise<boolean>;
  readonly context: CommandContext;
}

/**
 * Serves the commands to one client, until the input ends, the client is gone, or a signal asks this process to end: calls
 * that run then are ended with what they started.
 */
export async function serveMcp({ input, write, context }: ServeMcpOptions): Promise<void> {
  using corpora = new ResidentIndexes();
  const queue = new CallQueue();
  const transport = new LineTransport(input, write);
  const server = makeMcpServer({
    context: { ...context, corpora },
    tools: toolsOf({ mayRun: true }),
    queue,
    isNarrowing: false,
    whenRead: () => transport.whenRead(),
  });
  await server.connect(transport);
  let isEnding = false;
  const unsubscribe = context.onSignal?.(() => {
    // A third signal ends the process at once.
    if (isEnding) unsubscribe?.();
    isEnding = true;
    void transport.close();
  });
  await transport.run();
  await queue.whenIdle();
  unsubscribe?.();
}
