import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import process from "node:process";

// Not an import: that makes Node load its client for fetch and WebSocket in each test file, for .08 s of processor time.
const { createServer } = process.getBuiltinModule("node:http");

/** A request that came. */
export interface ScriptedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  /** The body, parsed; text that is not JSON stays text. */
  readonly body: unknown;
}

/** Answers one request. */
export type ScriptedAnswer = (
  response: ServerResponse,
  request: ScriptedRequest,
) => void | Promise<void>;

/** A server that answers by a script. */
export interface ScriptedServer extends AsyncDisposable {
  /** For example `http://127.0.0.1:40123`. */
  readonly url: string;
  /** What came so far. */
  readonly requests: readonly ScriptedRequest[];
}

/** On a busy machine a client may come back to its connection later than after Node's five seconds. */
const keepAliveTimeoutMs = 60_000;

async function readBody(message: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString("utf8");
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * Starts an HTTP server on a free port of this machine.
 *
 * @param answers Each request takes the next one; the last one answers all that follow.
 * @returns The server; disposing it cuts its connections.
 */
export async function startScriptedServer(
  ...answers: readonly ScriptedAnswer[]
): Promise<ScriptedServer> {
  const requests: ScriptedRequest[] = [];
  const server = createServer({ keepAliveTimeout: keepAliveTimeoutMs }, (message, response) => {
    void readBody(message).then(async (body) => {
      const { method = "", url: path = "", headers } = message;
      const request = { method, path, headers, body };
      requests.push(request);
      const answer = answers[Math.min(requests.length, answers.length) - 1];
      await answer?.(response, request);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the system gave no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
