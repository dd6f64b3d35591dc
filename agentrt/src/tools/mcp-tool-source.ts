import {
  type JsonObject,
  type JsonValue,
  reasonOf,
  type SourceResult,
  type SourceTool,
  type SpanAttributes,
  type ToolHost,
  type ToolSource,
  toolErrors,
} from "../core/index.ts";
import { mcpErrors } from "./errors.ts";
import { connectMcp, listTools, type McpConnection, sdkTimeoutMs } from "./mcp-connection.ts";
import type { McpServerOptions } from "./mcp-server-options.ts";

/** The tools of one server that speaks the Model Context Protocol. */
export class McpToolSource implements ToolSource {
  readonly name: string;
  readonly scheme = "mcp";
  readonly span: { readonly name: string; readonly attributes: SpanAttributes };
  readonly #options: McpServerOptions;
  #host: ToolHost | undefined;
  #connection: McpConnection | undefined;
  /** Of the latest connection: they stay listed while there is none, so that a call of one connects again. */
  #tools: readonly SourceTool[] = [];
  #connecting: Promise<McpConnection> | undefined;
  #isClosed = false;

  /** @param options Where the server is; nothing is opened yet. */
  constructor(options: McpServerOptions) {
    this.name = options.name;
    this.#options = options;
    const { transport } = options.address;
    const attributes = { "mcp.server": options.name, "mcp.transport": transport };
    this.span = { name: "agentrt.mcp.call", attributes };
  }

  /** {@inheritDoc ToolSource.open} */
  async open(host: ToolHost): Promise<void> {
    this.#host = host;
    await this.#connected();
  }

  /** {@inheritDoc ToolSource.tools} */
  tools(): readonly SourceTool[] {
    return this.#tools;
  }

  /** {@inheritDoc ToolSource.call} */
  async call(
    tool: string,
    input: JsonObject,
    options: { readonly signal: AbortSignal; readonly traceparent?: string | undefined },
  ): Promise<SourceResult> {
    const { signal, traceparent } = options;
    const { client } = await this.#connected();
    try {
      const limits = { signal, timeout: sdkTimeoutMs };
      // Where the protocol's hosts put it: https://modelcontextprotocol.io, SEP-414.
      const meta = traceparent === undefined ? {} : { _meta: { traceparent } };
      const asked = { name: tool, arguments: input, ...meta };
      const result = await client.callTool(asked, undefined, limits);
      return resultOf(result as CallToolResult);
    } catch (error) {
      if (signal.aborted || this.#connection?.client === client) throw error;
      throw this.#unavailable("it went away in the middle of the call", error);
    }
  }

  /** {@inheritDoc ToolSource.close} */
  async close(): Promise<void> {
    this.#isClosed = true;
    const connection = this.#connection ?? (await this.#connecting?.catch(() => undefined));
    this.#connection = undefined;
    await connection?.client.close();
  }

  /** The connection; one is made when there is none, and all who wait share it. */
  async #connected(): Promise<McpConnection> {
    if (this.#connection !== undefined) return this.#connection;
    if (this.#isClosed || this.#host === undefined) throw this.#unavailable("it is closed");
    this.#connecting ??= this.#connect(this.#host).finally(() => {
      this.#connecting = undefined;
    });
    return await this.#connecting;
  }

  async #connect(host: ToolHost): Promise<McpConnection> {
    try {
      const connection: McpConnection = await connectMcp(this.#options, host.log, {
        onListChanged: () => void this.#relist(host),
        onClosed: () => this.#lost(host, connection),
      });
      this.#connection = connection;
      this.#tools = connection.tools;
      return connection;
    } catch (error) {
      if (error instanceof mcpErrors.PACKAGE_MISSING) throw error;
      throw this.#unavailable(reasonOf(error), error);
    }
  }

  #lost(host: ToolHost, connection: McpConnection): void {
    if (this.#connection?.client !== connection.client) return;
    this.#connection = undefined;
    if (!this.#isClosed) host.log.warn("a tool server went away", { server: this.name });
  }

  async #relist(host: ToolHost): Promise<void> {
    const connection = this.#connection;
    if (connection === undefined) return;
    try {
      const timeoutMs = this.#options.connectTimeoutMs ?? 10_000;
      const tools = await listTools(connection.client, { log: host.log, timeoutMs });
      if (this.#connection === connection) this.#tools = tools;
    } catch (error) {
      host.log.warn("a tool server did not list its tools", { server: this.name, error });
    }
  }

  #unavailable(reason: string, cause?: unknown): Error {
    return new toolErrors.UNAVAILABLE({ server: this.name, reason }, { cause });
  }
}

interface CallToolResult {
  readonly content?: readonly JsonValue[];
  readonly structuredContent?: JsonObject;
  readonly isError?: boolean;
}

/** Joins an answer that is only text, as the protocol's other hosts do; hands on the parts of any other. */
function resultOf({ content = [], structuredContent, isError }: CallToolResult): SourceResult {
  const texts = content.flatMap((part) => {
    const { type, text } = (part ?? {}) as { type?: unknown; text?: unknown };
    return type === "text" && typeof text === "string" ? [text] : [];
  });
  return {
    content: texts.length === content.length ? texts.join("\n") : content,
    ...(structuredContent === undefined ? {} : { structured: structuredContent }),
    isError: isError === true,
  };
}
