/** Clients of others that use published agents: the official one of MCP, and A2A's of another SDK. */
import { SendMessageRequest, Task } from "@a2a-js/sdk";
import {
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from "@a2a-js/sdk/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

type Headers = { readonly [name: string]: string };

/** Opens a session of MCP. */
export async function connectMcp(at: URL, headers: Headers = {}) {
  const client = new Client({ name: "test", version: "1" });
  const transport = new StreamableHTTPClientTransport(at, { requestInit: { headers } });
  await client.connect(transport);
  return { client, transport, [Symbol.asyncDispose]: async () => await client.close() };
}

/** What came of a task of A2A. */
export interface FinishedTask {
  readonly state: string;
  /** The data of its last part. */
  readonly data: unknown;
}

/**
 * Finds an agent by its card.
 *
 * @param at Where the agent is, with a slash at the end.
 * @param headers Sent with each request.
 * @returns Sends it a message with data, and settles when the task is over.
 */
export async function connectA2a(
  at: string,
  headers: Headers,
): Promise<(messageId: string, data: object) => Promise<FinishedTask>> {
  const fetchImpl: typeof fetch = (input, init) =>
    fetch(input, { ...init, headers: { ...(init?.headers as Headers), ...headers } });
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory({ fetchImpl })],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
  });
  const agent = await factory.createFromUrl(at);
  return async (messageId, data) => {
    const message = { messageId, role: "ROLE_USER", parts: [{ data }] };
    const result = await agent.sendMessage(SendMessageRequest.fromJSON({ message }));
    const { status, artifacts } = Task.toJSON(result as Task) as {
      readonly status: { readonly state: string };
      readonly artifacts: readonly { readonly parts: readonly { readonly data: unknown }[] }[];
    };
    const parts = artifacts.flatMap((artifact) => artifact.parts);
    return { state: status.state, data: parts.at(-1)?.data };
  };
}
