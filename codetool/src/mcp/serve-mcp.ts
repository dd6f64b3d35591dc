import { fileURLToPath } from "node:url";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  RootsListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import {
  budgetFlag,
  type CommandContext,
  commandTable,
  envelopeLine,
  ResidentIndexes,
  executeCommand,
  findCommand,
  unknownCommand,
} from "../commands/index.ts";
import { CommandError, errors, type Outcome, version } from "../envelope/index.ts";
import { LineTransport } from "./line-transport.ts";
import { PathGuard } from "./path-guard.ts";
import { schemaOf } from "./tool-schema.ts";

/** Commands that are tools: those that read. */
const tools = commandTable.filter(
  ({ isBatchable, whyNotOverMcp }) => isBatchable && whyNotOverMcp === undefined,
);
/** Arguments that name files and folders. */
const pathNames: ReadonlySet<string> = new Set(["path", "file"]);
/** Flags whose value is a path. */
const pathFlags = ["in_file"] as const;
/** How long a client may take to list its roots. */
const rootsTimeoutMs = 5000;

/** The streams and the context of a server. */
export interface ServeMcpOptions {
  readonly input: AsyncIterable<Uint8Array | string>;
  readonly write: (text: string) => Promise<void>;
  readonly context: CommandContext;
}

/** Serves the commands until the input ends. */
export async function serveMcp({ input, write, context }: ServeMcpOptions): Promise<void> {
  using corpora = new ResidentIndexes();
  const resident = { ...context, corpora };
  const server = new Server({ name: "codetool", version }, { capabilities: { tools: {} } });
  const roots = new ClientRoots(server, context);
  server.onerror = (error) => context.log?.("warn", `mcp: ${error.message}`);
  server.setNotificationHandler(RootsListChangedNotificationSchema, () => roots.forget());
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map((definition) => ({
      name: definition.name,
      description: definition.summary,
      inputSchema: { ...schemaOf(definition, [budgetFlag]) },
      annotations: { readOnlyHint: definition.isWriting !== true, openWorldHint: false },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const guard = await roots.guard();
    return await callTool(params.name, params.arguments ?? {}, { guard, context: resident });
  });
  const transport = new LineTransport(input, write);
  await server.connect(transport);
  await transport.run();
}

async function callTool(
  name: string,
  given: { readonly [name: string]: unknown },
  { guard, context }: { readonly guard: PathGuard; readonly context: CommandContext },
): Promise<CallToolResult> {
  const outcome = await runTool(name, given, { guard, context });
  const hasBudget = typeof given["budget"] === "number";
  const text = await envelopeLine({ command: name, outcome, hasBudget });
  return { content: [{ type: "text", text }], isError: "error" in outcome };
}

async function runTool(
  name: string,
  given: { readonly [name: string]: unknown },
  { guard, context }: { readonly guard: PathGuard; readonly context: CommandContext },
): Promise<Outcome> {
  const definition = tools.find((row) => row.name === name);
  const names = tools.map((row) => row.name);
  if (definition === undefined) return { error: unknownTool(name, names) };
  try {
    const input: { [name: string]: unknown } = { ...given };
    for (const { name: positional, aliases = [], isRequired } of definition.positionals) {
      if (!pathNames.has(positional)) continue;
      const spelling = [positional, ...aliases].find((each) => input[each] !== undefined);
      if (spelling === undefined && isRequired) continue;
      const path = spelling === undefined ? "." : input[spelling];
      for (const each of Array.isArray(path) ? path : [path])
        // What is not a path is refused by the command.
        if (typeof each === "string") guard.check(each);
      input[spelling ?? positional] = path;
    }
    for (const flag of pathFlags) {
      const path = input[flag];
      if (typeof path === "string") guard.check(path);
    }
    const workingDirectory = guard.workingDirectory ?? context.workingDirectory;
    const mayShow = (absolutePath: string): boolean => guard.contains(absolutePath);
    return await executeCommand(definition, input, { ...context, workingDirectory, mayShow });
  } catch (error) {
    if (error instanceof CommandError) return { error };
    throw error;
  }
}

function unknownTool(name: string, names: readonly string[]): CommandError {
  const why = findCommand(name)?.whyNotOverMcp;
  if (why === undefined) return unknownCommand(name, names);
  return new errors.invalid_command({
    command: name,
    reason: `it is not offered over MCP: ${why}`,
  });
}

/** The folders that the client works in, asked for once, and again when it reports that they changed. */
class ClientRoots {
  readonly #server: Server;
  readonly #context: CommandContext;
  #guard: Promise<PathGuard> | undefined;

  constructor(server: Server, context: CommandContext) {
    this.#server = server;
    this.#context = context;
  }

  guard(): Promise<PathGuard> {
    this.#guard ??= this.#ask();
    return this.#guard;
  }

  forget(): void {
    this.#guard = undefined;
  }

  async #ask(): Promise<PathGuard> {
    const own = new PathGuard([this.#context.workingDirectory]);
    if (this.#server.getClientCapabilities()?.roots === undefined) return own;
    try {
      const { roots } = await this.#server.listRoots(undefined, { timeout: rootsTimeoutMs });
      const paths = roots.flatMap(({ uri }) => (uri.startsWith("file:") ? fileURLToPath(uri) : []));
      return paths.length === 0 ? own : new PathGuard(paths);
    } catch (error) {
      // A client that announces roots and does not list them is served in the folder that the server was started in.
      this.#context.log?.("warn", `mcp: ${error instanceof Error ? error.message : String(error)}`);
      return own;
    }
  }
}
