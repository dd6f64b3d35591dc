import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { Log, SourceTool, JsonObject } from "../core/index.ts";
import { mcpErrors } from "./errors.ts";
import type { McpProgram, McpServerOptions, McpUrl } from "./mcp-server-options.ts";

const connectTimeoutMsDefault = 10_000;
/** Most tools of one server that are kept; beyond it the rest is left out, with a warning. */
const toolCountMax = 1000;
/** Longest line of a server's stderr that is logged. */
const stderrLengthMax = 500;
/** The SDK's own time-out; the caller's signal ends a call before it. */
export const sdkTimeoutMs = 2_147_483_647;

/** A connected server. */
export interface McpConnection {
  readonly client: Client;
  readonly tools: readonly SourceTool[];
}

/** Receives the events of a connection. */
export interface McpConnectionEvents {
  /** The server says that its list of tools has changed. */
  onListChanged(): void;
  /** The connection is over. */
  onClosed(): void;
}

/**
 * Connects a tool server and asks for its tools.
 *
 * @param options Where it is.
 * @param log Where a program's stderr goes, as `debug`.
 * @param events Receives what happens later.
 * @returns The connection.
 * @throws AGENTRT_MCP_PACKAGE_MISSING; what the SDK throws when the server does not answer in time or as it should.
 */
export async function connectMcp(
  options: McpServerOptions,
  log: Log,
  events: McpConnectionEvents,
): Promise<McpConnection> {
  const { client: module, transport } = await loadSdk(options, log);
  const timeout = options.connectTimeoutMs ?? connectTimeoutMsDefault;
  const client = new module.Client(
    { name: "agentrt", version: "0.2.0" },
    { listChanged: { tools: { autoRefresh: false, onChanged: () => events.onListChanged() } } },
  );
  try {
    await client.connect(transport, { timeout });
    client.onclose = () => events.onClosed();
    return { client, tools: await listTools(client, { log, timeoutMs: timeout }) };
  } catch (error) {
    await client.close().catch(() => undefined);
    throw error;
  }
}

/**
 * Asks a connected server for its tools, page by page.
 *
 * @returns At most 1000.
 */
export async function listTools(
  client: Client,
  { log, timeoutMs }: { readonly log: Log; readonly timeoutMs: number },
): Promise<SourceTool[]> {
  const tools: SourceTool[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listTools(cursor === undefined ? {} : { cursor }, {
      timeout: timeoutMs,
    });
    for (const { name, description, inputSchema } of page.tools) {
      tools.push({ name, description, inputSchema: inputSchema as JsonObject });
    }
    cursor = page.nextCursor;
  } while (cursor !== undefined && cursor !== "" && tools.length < toolCountMax);
  if (tools.length > toolCountMax || (cursor ?? "") !== "") {
    log.warn("a tool server offers more tools than are kept", { toolCountMax });
  }
  return tools.slice(0, toolCountMax);
}

async function loadSdk(options: McpServerOptions, log: Log) {
  const { address } = options;
  try {
    const client = await import("@modelcontextprotocol/sdk/client/index.js");
    const transport =
      address.transport === "stdio"
        ? await programTransport(address, log)
        : await urlTransport(address);
    return { client, transport };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    throw new mcpErrors.PACKAGE_MISSING({ server: options.name }, { cause });
  }
}

async function programTransport(address: McpProgram, log: Log): Promise<Transport> {
  const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
  const transport = new StdioClientTransport({
    command: address.command,
    args: [...(address.args ?? [])],
    stderr: "pipe",
    ...(address.environment === undefined ? {} : { env: { ...address.environment } }),
    ...(address.directory === undefined ? {} : { cwd: address.directory }),
  });
  transport.stderr?.on("data", (chunk: Buffer) => {
    for (const line of chunk.toString("utf8").split("\n")) {
      if (line.trim() !== "")
        log.debug("stderr of a tool server", { line: line.slice(0, stderrLengthMax) });
    }
  });
  return transport;
}

async function urlTransport({ transport, url, headers }: McpUrl): Promise<Transport> {
  const requestInit = { headers: { ...headers } };
  if (transport === "sse") {
    const { SSEClientTransport } = await import("@modelcontextprotocol/sdk/client/sse.js");
    return new SSEClientTransport(new URL(url), { requestInit });
  }
  const { StreamableHTTPClientTransport } =
    await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
  return new StreamableHTTPClientTransport(new URL(url), { requestInit });
}
