import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/sdk/types.js";
import type { JsonObject, System } from "../../../core/index.ts";
import { errorResponse, type GatewayRequest, type GatewayResponse } from "../../request.ts";
import { ownerOf } from "../owner.ts";
import type { PublishLimits } from "../publish-options.ts";
import type { AgentTools } from "./agent-tools.ts";
import type { Sdk } from "./load-sdk.ts";
import { errorAnswer, SessionTransport } from "./session-transport.ts";

/** What the sessions of one gateway are made of. */
export interface McpSessionsInit {
  readonly sdk: Sdk;
  readonly tools: AgentTools;
  readonly system: System;
  readonly limits: PublishLimits;
  /** Longest wait for an agent's reply, milliseconds. */
  readonly requestTimeoutMs: number;
  /** What the server says of itself. */
  readonly info: { readonly name: string; readonly version: string };
}

interface Session {
  readonly id: string;
  readonly owner: string;
  readonly server: Server;
  readonly transport: SessionTransport;
  /** Ends the calls whose client has gone, by the id of their request. */
  readonly calls: Map<RequestId, AbortController>;
  usedAtMs: number;
}

const sessionHeader = "mcp-session-id";
const versionHeader = "mcp-protocol-version";
const retry = { "retry-after": "1" };

/**
 * The sessions of MCP's Streamable HTTP at one gateway. A session belongs to the identity that began it. Nothing is sent to
 * a client but in the response to its own request, so there is no stream to listen at (GET is 405).
 */
export class McpSessions {
  readonly #init: McpSessionsInit;
  /** The one that was used last is at the end. */
  readonly #sessions = new Map<string, Session>();

  constructor(init: McpSessionsInit) {
    this.#init = init;
  }

  /** Answers the message of a POST. */
  async post(request: GatewayRequest): Promise<GatewayResponse> {
    const { types } = this.#init.sdk;
    const version = request.headers[versionHeader];
    if (version !== undefined && !types.SUPPORTED_PROTOCOL_VERSIONS.includes(version)) {
      const wanted = types.SUPPORTED_PROTOCOL_VERSIONS.join(", ");
      return refused(`protocol version "${version}" is not spoken here, wanted one of ${wanted}`);
    }
    const parsed = types.JSONRPCMessageSchema.safeParse(request.body);
    if (!parsed.success) return refused("the body is not a message of JSON-RPC 2.0");
    const message: JSONRPCMessage = parsed.data;
    if (types.isInitializeRequest(message)) return await this.#begin(message, request);
    const session = this.#find(request);
    if (!("transport" in session)) return session;
    return await this.#pass(session, message, request);
  }

  /** Ends a session, as its client asks. */
  delete(request: GatewayRequest): GatewayResponse {
    const session = this.#find(request);
    if (!("transport" in session)) return session;
    this.#end(session);
    return { status: 204, body: undefined };
  }

  /** Ends all. */
  close(): void {
    for (const session of this.#sessions.values()) this.#end(session);
  }

  async #begin(message: JSONRPCMessage, request: GatewayRequest): Promise<GatewayResponse> {
    if (!this.#makeRoom())
      return errorResponse(503, "all sessions are in use: end one, or come again", retry);
    const transport = new SessionTransport();
    const session: Session = {
      id: this.#init.system.nextTraceId(),
      owner: ownerOf(request),
      server: this.#createServer(transport),
      transport,
      calls: new Map(),
      usedAtMs: this.#init.system.monotonicMs(),
    };
    this.#serveTools(session);
    this.#sessions.set(session.id, session);
    await session.server.connect(transport);
    const response = await this.#pass(session, message, request);
    return { ...response, headers: { ...response.headers, [sessionHeader]: session.id } };
  }

  async #pass(
    session: Session,
    message: JSONRPCMessage,
    request: GatewayRequest,
  ): Promise<GatewayResponse> {
    const { transport, calls } = session;
    if (!("method" in message) || !("id" in message)) {
      const taken = transport.accept(message);
      // The SDK answers nothing to what its client has taken back.
      if ("method" in message && message.method === "notifications/cancelled") {
        const id = message.params?.["requestId"] as RequestId | undefined;
        if (id !== undefined) transport.drop(id);
      }
      return taken;
    }
    return await transport.ask(message, request, (id) => calls.get(id)?.abort());
  }

  #createServer(transport: SessionTransport): Server {
    const { sdk, info } = this.#init;
    const server = new sdk.Server(info, {
      capabilities: { tools: {} },
      // Nothing is asked of clients, so nothing of theirs is to be validated.
      jsonSchemaValidator: {
        getValidator: () => () => {
          throw new TypeError("nothing is asked of clients");
        },
      },
    });
    server.onerror = (error) => transport.onerror?.(error);
    return server;
  }

  #serveTools({ server, transport, calls }: Session): void {
    const { sdk, tools, requestTimeoutMs: timeoutMs } = this.#init;
    const { types } = sdk;
    server.setRequestHandler(types.ListToolsRequestSchema, () => ({ tools: tools.list() }));
    server.setRequestHandler(types.CallToolRequestSchema, async ({ params }, extra) => {
      const { name, arguments: input = {}, _meta: meta } = params;
      const { requestId } = extra;
      const refusal = tools.refusal(name);
      if (refusal !== undefined) throw new types.McpError(types.ErrorCode.InvalidParams, refusal);
      const request = transport.requestOf(requestId);
      const gone = new AbortController();
      calls.set(requestId, gone);
      if (request === undefined) gone.abort();
      try {
        return await tools.call({
          name,
          input: input as JsonObject,
          request: request as GatewayRequest,
          timeoutMs,
          signal: AbortSignal.any([extra.signal, gone.signal]),
          onProgress: async (progress, text) => {
            const progressToken = meta?.progressToken;
            if (progressToken === undefined) return;
            await extra.sendNotification({
              method: "notifications/progress",
              params: { progressToken, progress, message: text },
            });
          },
        });
      } finally {
        calls.delete(requestId);
      }
    });
  }

  /** The session that a request names; or the response where it names none, or that of another client. */
  #find(request: GatewayRequest): Session | GatewayResponse {
    const id = request.headers[sessionHeader];
    if (id === undefined)
      return refused(`the header ${sessionHeader} is missing: begin with "initialize"`);
    const session = this.#sessions.get(id);
    if (session === undefined || session.owner !== ownerOf(request) || this.#isOver(session)) {
      if (session !== undefined && this.#isOver(session)) this.#end(session);
      return errorAnswer(404, { id: null, code: -32001, message: "there is no such session" });
    }
    session.usedAtMs = this.#init.system.monotonicMs();
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    return session;
  }

  #isOver({ usedAtMs, transport }: Session): boolean {
    const { system, limits } = this.#init;
    const idleMs = system.monotonicMs() - usedAtMs;
    return transport.openCount === 0 && idleMs >= limits.sessionIdleTimeoutMs;
  }

  /** Ends what nobody uses any more; when all is used, the session that is idle for longest. */
  #makeRoom(): boolean {
    for (const session of this.#sessions.values()) {
      if (!this.#isOver(session)) break;
      this.#end(session);
    }
    if (this.#sessions.size < this.#init.limits.sessionCountMax) return true;
    const idle = [...this.#sessions.values()].find(({ transport }) => transport.openCount === 0);
    if (idle === undefined) return false;
    this.#end(idle);
    return true;
  }

  #end(session: Session): void {
    this.#sessions.delete(session.id);
    for (const call of session.calls.values()) call.abort();
    void session.server.close();
  }
}

function refused(message: string): GatewayResponse {
  return errorAnswer(400, { id: null, code: -32600, message });
}
