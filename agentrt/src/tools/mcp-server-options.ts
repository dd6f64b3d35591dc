/** Where a tool server is. */
export interface McpServerOptions {
  /** Unique in the runtime; its tools are called `mcp://<name>/<tool>`. */
  readonly name: string;
  readonly address: McpProgram | McpUrl;
  /** Upper bound on connecting and listing the tools; default 10_000. */
  readonly connectTimeoutMs?: number | undefined;
}

/** A server that is started as a program and spoken to over its stdin and stdout. */
export interface McpProgram {
  readonly transport: "stdio";
  /** Program on the PATH, or a path. */
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** Environment in addition to HOME, PATH and the like; nothing else is passed on. */
  readonly environment?: { readonly [name: string]: string } | undefined;
  /** Working directory; default the runtime's own. */
  readonly directory?: string | undefined;
}

/** A server at a URL: streamable HTTP, or the older server-sent events. */
export interface McpUrl {
  readonly transport: "http" | "sse";
  readonly url: string;
  /** Sent with every request, for the server's authentication. */
  readonly headers?: { readonly [name: string]: string } | undefined;
}
