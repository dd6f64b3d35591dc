import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** The server of the language model: two endpoints, `/first` and `/second`. */
export interface ModelServer {
  readonly port: number;
  /** While it is set, `/first` takes questions and never answers. */
  isFirstStuck: boolean;
  close(): void;
}

/** Listens on a free port of this machine. */
export async function startModelServer(): Promise<ModelServer> {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.url === "/first" && model.isFirstStuck) return;
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(answerTo(body)));
    }, noAnswer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const model: ModelServer = {
    port: (server.address() as AddressInfo).port,
    isFirstStuck: false,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return model;
}

/** Who asked has gone. */
function noAnswer(): void {}

function answerTo(body: string): { content: string; in: number; out: number } {
  const { messages } = JSON.parse(body) as {
    messages: readonly { readonly role: string; readonly content: string }[];
  };
  const isReading = messages[0]?.content.startsWith("Which team") === true;
  const content = isReading ? "Shipping" : "We look into it and write to you again.";
  const words = messages.map((message) => message.content).join(" ");
  return { content, in: words.split(" ").length, out: content.split(" ").length };
}
