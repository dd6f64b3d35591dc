import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";

/** A server that plays a language model and counts what it sells: requests that it does not refuse. */
export interface CountingModel extends AsyncDisposable {
  readonly url: string;
  /** Of the answers since the last `begin`, whether they reached anybody or not. */
  readonly soldCount: number;
  readonly soldTokens: number;
  /** Most requests that it worked on at once. */
  readonly openCountMax: number;
  /** Settles when so many more requests were sold. */
  sold(count: number): Promise<void>;
  /** Begins to count again. */
  begin(): void;
  /** Settles when no client is connected any more. */
  idle(): Promise<void>;
}

/** How often it refuses, and how often it breaks off after it has sold. */
const refusedShare = 0.03;
const cutShare = 0.02;
const answerMsMax = 40;
const bytesPerToken = 3;
const answerTokens = 50;

/**
 * Starts a model that speaks the Chat Completions API. Each answer takes 50 tokens, and each question a token for three
 * bytes: as much as a budget holds back for it.
 *
 * @param random Decides how long an answer takes, and what is refused or cut.
 */
export async function startCountingModel(random: () => number): Promise<CountingModel> {
  const counts = { soldCount: 0, soldTokens: 0, openCountMax: 0 };
  let openCount = 0;
  let socketCount = 0;
  let onIdle = (): void => undefined;
  let onSold = (): void => undefined;
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      if (body === undefined) return;
      openCount += 1;
      counts.openCountMax = Math.max(counts.openCountMax, openCount);
      response.on("close", () => (openCount -= 1));
      if (random() < refusedShare) {
        response.writeHead(500).end("{}");
        return;
      }
      const tokensIn = Math.ceil(Buffer.byteLength(questionOf(body)) / bytesPerToken);
      counts.soldCount += 1;
      counts.soldTokens += tokensIn + answerTokens;
      onSold();
      const isCut = random() < cutShare;
      setTimeout(
        () => (isCut ? response.destroy() : answer(response, tokensIn)),
        random() * answerMsMax,
      );
    });
  });
  server.on("connection", (socket) => {
    socketCount += 1;
    socket.on("close", () => {
      socketCount -= 1;
      if (socketCount === 0) onIdle();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the system gave no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    get soldCount() {
      return counts.soldCount;
    },
    get soldTokens() {
      return counts.soldTokens;
    },
    get openCountMax() {
      return counts.openCountMax;
    },
    sold: (count) => {
      const wantedCount = counts.soldCount + count;
      return new Promise((resolve) => {
        onSold = () => {
          if (counts.soldCount >= wantedCount) resolve();
        };
      });
    },
    begin: () => void Object.assign(counts, { soldCount: 0, soldTokens: 0 }),
    idle: () =>
      socketCount === 0 ? Promise.resolve() : new Promise((resolve) => (onIdle = resolve)),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** @returns The whole body; undefined for one whose sender is gone. */
async function readBody(request: AsyncIterable<Buffer>): Promise<string | undefined> {
  const parts: Buffer[] = [];
  try {
    for await (const part of request) parts.push(part);
  } catch {
    return undefined;
  }
  return Buffer.concat(parts).toString("utf8");
}

function questionOf(body: string): string {
  const { messages } = JSON.parse(body) as { readonly messages: readonly { content: string }[] };
  return messages.map(({ content }) => content).join("");
}

function answer(response: ServerResponse, tokensIn: number): void {
  const message = { role: "assistant", content: "Much" };
  const choices = [{ index: 0, message, finish_reason: "stop" }];
  const usage = { prompt_tokens: tokensIn, completion_tokens: answerTokens };
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ model: "stub", choices, usage }));
}
