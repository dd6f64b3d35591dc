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

/** Serves the commands to one client, until the input ends or the client is gone. */
export async function serveMcp({ input, write, context }: ServeMcpOptions): Promise<void> {
  using corpora = new ResidentIndexes();
  const server = makeMcpServer({
    context: { ...context, corpora },
    tools: toolsOf({ mayRun: true }),
    queue: new CallQueue(),
    isNarrowing: false,
  });
  const transport = new LineTransport(input, write);
  await server.connect(transport);
  await transport.run();
}
