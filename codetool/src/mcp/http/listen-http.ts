import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { errors } from "../../envelope/index.ts";
import { refusalOf } from "./request-check.ts";
import { Sessions } from "./sessions.ts";

/** Requests of one session that wait for their answers: what they hold, and what is made for them, is bounded so. */
const openCountMax = 128;

/** How an endpoint is made. */
export interface ListenHttpOptions {
  /** 0 for any that is free. */
  readonly port: number;
  /** What clients must send as bearer token. */
  readonly token: string;
  /** Connects a new server to the transport of a client. */
  readonly connect: (transport: StreamableHTTPServerTransport) => Promise<void>;
}

/** An endpoint that listens. */
export interface HttpEndpoint {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Listens for clients on this machine only.
 *
 * @throws invalid_argument where the port is taken.
 */
export async function listenHttp({
  port,
  token,
  connect,
}: ListenHttpOptions): Promise<HttpEndpoint> {
  const sessions = new Sessions(connect);
  const server = createServer((request, response) => {
    const listening = (server.address() as AddressInfo | null)?.port ?? port;
    const refusal = refusalOf(request, { port: listening, token });
    if (refusal !== undefined) {
      refuse(response, refusal.status, refusal.reason);
      return;
    }
    serve(sessions, request, response).catch(() => {
      if (response.headersSent) response.destroy();
      else refuse(response, 500, "the request failed");
    });
  });
  const listened = Promise.withResolvers<void>();
  server.once("error", (error: NodeJS.ErrnoException) => {
    const reason = error.code === "EADDRINUSE" ? "another program listens there" : error.message;
    listened.reject(
      new errors.invalid_argument({ argument: "port", reason: `${port}: ${reason}` }),
    );
  });
  server.listen(port, "127.0.0.1", () => listened.resolve());
  // The sessions look after themselves by a timer, which must not outlive a port that is taken.
  await listened.promise.catch(async (error: unknown) => {
    await sessions.close();
    throw error;
  });
  const { port: listening } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${listening}/mcp`,
    close: async () => {
      await sessions.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function serve(
  sessions: Sessions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const id = request.headers["mcp-session-id"];
  if (typeof id === "string") {
    const session = sessions.find(id);
    if (session === undefined) {
      refuse(response, 404, "there is no such session: begin one");
      return;
    }
    if (session.openCount >= openCountMax) {
      response.setHeader("retry-after", "1");
      refuse(response, 429, "too many requests of this session wait for their answers");
      return;
    }
    const end = sessions.use(session);
    response.once("close", end);
    await session.transport.handleRequest(request, response);
    return;
  }
  const transport = await sessions.begin();
  if (transport === undefined) {
    response.setHeader("retry-after", "10");
    refuse(response, 503, "too many clients are connected");
    return;
  }
  await transport.handleRequest(request, response);
  // What was no begin of a session leaves nothing.
  if (transport.sessionId === undefined) await transport.close();
}

/** Answers as JSON-RPC does, where there is no request to answer. */
function refuse(response: ServerResponse, status: number, message: string): void {
  if (status === 401) response.setHeader("www-authenticate", 'Bearer realm="codetool"');
  response.writeHead(status, { "content-type": "application/json", connection: "close" });
  response.end(
    `${JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32000, message } })}\n`,
  );
}
