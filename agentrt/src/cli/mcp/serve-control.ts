import type { CallToolResult, Tool } from "@modelcontextprotocol/sdk/types.js";
import { didYouMean, type JsonObject } from "../../core/index.ts";
import type { Topology } from "../../topology/index.ts";
import { cliErrors } from "../errors.ts";
import { readVersion } from "../read-version.ts";
import { approvalTools } from "./approval-tools.ts";
import { checkInput } from "./check-input.ts";
import { controlClient } from "./control-client.ts";
import { type ControlTool, ToolFault } from "./control-tool.ts";
import { readTools } from "./read-tools.ts";
import { writeTools } from "./write-tools.ts";

/** What a server of the control plane's tools is made of. */
export interface ServeControlOptions {
  readonly topology: Topology;
  /** Sent with every question to the topology. */
  readonly headers: Headers;
  /** Upper bound on each question, milliseconds. */
  readonly timeoutMs: number;
  /** True where tools that change something are offered. */
  readonly hasWrites: boolean;
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  /** Gets what is wrong with messages of the client. */
  readonly tell: (line: string) => void;
}

const lineBytesMax = 4_194_304;
const tools: readonly ControlTool[] = [...readTools, ...approvalTools, ...writeTools];

/**
 * Serves the tools until the client closes its side, and answers what was asked until then.
 *
 * @param options Of the server.
 * @throws AGENTRT_CLI_MCP_PACKAGE_MISSING.
 */
export async function serveControl(options: ServeControlOptions): Promise<void> {
  const { Server, StdioServerTransport, types } = await loadSdk();
  const offered = tools.filter(({ kind }) => kind === "read" || options.hasWrites);
  const info = { name: "agentrt", version: readVersion() };
  const server = new Server(info, { capabilities: { tools: {} } });
  server.onerror = (error) => options.tell(`agentrt mcp: ${error.message}`);
  server.setRequestHandler(types.ListToolsRequestSchema, () => ({ tools: offered.map(shown) }));
  const open = new Set<Promise<unknown>>();
  server.setRequestHandler(types.CallToolRequestSchema, async ({ params }, { signal }) => {
    const { name, arguments: input = {} } = params;
    const call = callTool(toolOf(name, offered), input as JsonObject, { ...options, signal });
    open.add(call);
    return await call.finally(() => open.delete(call));
  });
  const { input, output } = options;
  const transport = new StdioServerTransport(input, output, { maxBufferSize: lineBytesMax });
  await server.connect(transport);
  await new Promise<void>((resolve) => {
    server.onclose = () => resolve();
    input.once("end", () => resolve());
    input.once("close", () => resolve());
  });
  await Promise.allSettled(open);
  await server.close();
}

async function loadSdk() {
  try {
    const [{ Server }, { StdioServerTransport }, types] = await Promise.all([
      import("@modelcontextprotocol/sdk/server/index.js"),
      import("@modelcontextprotocol/sdk/server/stdio.js"),
      import("@modelcontextprotocol/sdk/types.js"),
    ]);
    return { Server, StdioServerTransport, types };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    throw new cliErrors.MCP_PACKAGE_MISSING({}, { cause });
  }
}

function shown(tool: ControlTool): Tool {
  const { name, title, description, input, required = [], output, kind } = tool;
  const isReading = kind === "read";
  return {
    name,
    title,
    description,
    inputSchema: {
      type: "object",
      properties: input,
      required: [...required],
      additionalProperties: false,
    },
    outputSchema: { type: "object", properties: output, required: Object.keys(output) },
    annotations: {
      title,
      readOnlyHint: isReading,
      destructiveHint: tool.isDestructive ?? false,
      idempotentHint: isReading || (tool.isIdempotent ?? false),
      openWorldHint: name === "call_agent",
    },
  };
}

/** @returns The tool, or why there is none. */
function toolOf(name: string, offered: readonly ControlTool[]): ControlTool | ToolFault {
  const found = offered.find((tool) => tool.name === name);
  if (found !== undefined) return found;
  if (tools.some((tool) => tool.name === name))
    return new ToolFault(`"${name}" changes something: start with \`agentrt mcp --allow-writes\``);
  const names = offered.map((tool) => tool.name);
  return new ToolFault(`there is no tool "${name}"${didYouMean(name, names)}`);
}

/** What is wrong is a result, too: a model reads it and corrects itself. */
async function callTool(
  tool: ControlTool | ToolFault,
  input: JsonObject,
  { signal, ...options }: ServeControlOptions & { readonly signal: AbortSignal },
): Promise<CallToolResult> {
  try {
    if (tool instanceof ToolFault) throw tool;
    checkInput(tool, input);
    const result = await tool.run(input, controlClient({ ...options, signal }));
    return { content: [{ type: "text", text: JSON.stringify(result) }], structuredContent: result };
  } catch (error) {
    if (!(error instanceof ToolFault)) throw error;
    return { isError: true, content: [{ type: "text", text: error.message }] };
  }
}
