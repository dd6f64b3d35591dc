/**
 * A tool server over the official SDK, with one tool `version`: on stdin and stdout as a program, or at a URL in this process.
 *
 *     node tool-server.ts <version> <port where a held call waits for an answer>
 */
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { fileURLToPath } from "node:url";
import process from "node:process";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { z } from "zod";

/** Says its version; a call with `hold` waits for the gate first. */
function toolServer(version: string, gate: () => Promise<unknown>): McpServer {
  const server = new McpServer({ name: "versions", version: "1.0.0" });
  server.registerTool("version", { inputSchema: { hold: z.boolean() } }, async ({ hold }) => {
    if (hold) await gate();
    return { content: [{ type: "text", text: version }] };
  });
  return server;
}

/**
 * Serves one tool server per path: `/v1` has the version `v1`.
 *
 * @param gate What a held call waits for.
 * @returns Where it listens, and its end.
 */
export async function serveTools(
  gate: () => Promise<unknown>,
): Promise<{ readonly port: number } & AsyncDisposable> {
  const listening = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    const transport = new StreamableHTTPServerTransport({});
    void toolServer(String(request.url).slice(1), gate)
      .connect(transport as Parameters<McpServer["connect"]>[0])
      .then(() => transport.handleRequest(request, response));
  }).listen(0, "127.0.0.1", listening.resolve);
  await listening.promise;
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      const closed = Promise.withResolvers<unknown>();
      server.close(closed.resolve);
      await closed.promise;
    },
  };
}

/** The path of this file, for a tool server that is a program. */
export const toolServerPath = fileURLToPath(import.meta.url);

if (process.argv[1] === toolServerPath) {
  const [version = "", port] = process.argv.slice(2);
  const gate = async (): Promise<void> => {
    const socket = connect(Number(port), "127.0.0.1");
    const answered = Promise.withResolvers<unknown>();
    socket.once("data", answered.resolve).once("error", answered.resolve);
    await answered.promise;
    socket.destroy();
  };
  await toolServer(version, gate).connect(new StdioServerTransport());
}
