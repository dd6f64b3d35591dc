import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  RootsListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { CommandContext } from "../commands/index.ts";
import { version } from "../envelope/index.ts";
import { startTimer, type Timer } from "../system/index.ts";
import { callTool, isAlone } from "./call-tool.ts";
import type { CallQueue } from "./call-queue.ts";
import { ClientRoots } from "./client-roots.ts";
import { progressReporter } from "./progress.ts";
import { promptOf, prompts } from "./prompts.ts";
import { readResource, resourcePage, resourceTemplates } from "./resources.ts";
import { listedTool, type ListedTool, type Tool } from "./tools.ts";

/** How long a program may take to end: clients wait for two seconds before they kill a server that has not ended. */
const killAfterMs = 1000;

/** What a server for one client is made of. */
export interface McpServerOptions {
  /** With indexes that stay open. */
  readonly context: CommandContext;
  readonly tools: readonly Tool[];
  /** Shared by all clients of the process. */
  readonly queue: CallQueue;
  /** True for a client that may not leave the folder the server was started in. */
  readonly isNarrowing: boolean;
  /** Resolves when the client has read most of what it was sent: until then nothing more is made for it. */
  readonly whenRead?: () => Promise<void>;
}

/** Makes the server of one client; it has to be connected to a transport. */
export function makeMcpServer(options: McpServerOptions): Server {
  const { context, tools, queue, isNarrowing, whenRead } = options;
  const server = new Server(
    { name: "codetool", version },
    { capabilities: { tools: {}, resources: {}, prompts: {} } },
  );
  const roots = new ClientRoots(server, context, { isNarrowing });
  server.onerror = (error) => context.log?.("warn", `mcp: ${error.message}`);
  server.setNotificationHandler(RootsListChangedNotificationSchema, () => roots.forget());
  const inTurn = async <Result>(
    call: { readonly isAlone: boolean; readonly signal: AbortSignal },
    work: () => Promise<Result>,
  ): Promise<Result> =>
    await queue.run(call, async () => {
      await whenRead?.();
      call.signal.throwIfAborted();
      return await work();
    });
  let listed: Promise<ListedTool[]> | undefined;
  server.setRequestHandler(ListToolsRequestSchema, async () => {
    listed ??= Promise.all(tools.map(listedTool));
    return { tools: await listed };
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const { name, arguments: given = {} } = params;
    const { signal, requestId } = extra;
    const guard = await roots.guard(requestId);
    const tool = tools.find(({ definition }) => definition.name === name);
    const call = { isAlone: tool !== undefined && isAlone(tool), signal };
    const own = { ...context, signal, onSignal: onAbort(signal), ...progressReporter(extra) };
    return await inTurn(
      call,
      async (): Promise<CallToolResult> =>
        await callTool({ name, given, tools, guard, context: own }),
    );
  });
  server.setRequestHandler(
    ListResourcesRequestSchema,
    async ({ params }, { signal, requestId }) => {
      const guard = await roots.guard(requestId);
      const cursor = params?.cursor;
      return await inTurn({ isAlone: false, signal }, async () =>
        resourcePage(guard, { context: { ...context, signal }, cursor }),
      );
    },
  );
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [...resourceTemplates],
  }));
  server.setRequestHandler(
    ReadResourceRequestSchema,
    async ({ params: { uri } }, { signal, requestId }) => {
      const guard = await roots.guard(requestId);
      return await inTurn({ isAlone: false, signal }, async () =>
        readResource(uri, { context: { ...context, signal }, guard }),
      );
    },
  );
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: [...prompts] }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params: { name, arguments: given = {} } }) =>
    promptOf(name, given),
  );
  return server;
}

/** A program that a call runs is ended with the call; one that does not end is killed. */
function onAbort(signal: AbortSignal): NonNullable<CommandContext["onSignal"]> {
  return (listener) => {
    let timer: Timer | undefined;
    const end = (): void => {
      listener("SIGTERM");
      timer = startTimer(killAfterMs, () => listener("SIGTERM"));
    };
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
    return () => {
      signal.removeEventListener("abort", end);
      timer?.stop();
    };
  };
}
