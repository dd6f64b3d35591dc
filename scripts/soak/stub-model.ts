import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { startScriptedServer } from "testkit";

/** A server that plays a language model: token after token, one in so long. */
export interface StubModel extends AsyncDisposable {
  readonly url: string;
  /** @returns When the first answer to this question ended, cut off or not, as `performance.now()`; waits for it. */
  ended(question: string): Promise<number>;
  /** Settles when no answer is open any more. */
  idle(): Promise<void>;
}

interface Stub {
  readonly tokenCount: number;
  readonly intervalMs: number;
}

interface Opened {
  count: number;
  onIdle: (() => void) | undefined;
}

/** Starts a model that speaks the Chat Completions API and streams every answer. */
export async function startStubModel(stub: Stub): Promise<StubModel> {
  const ends = new Map<string, PromiseWithResolvers<number>>();
  const endOf = (question: string): PromiseWithResolvers<number> => {
    let end = ends.get(question);
    if (end === undefined) ends.set(question, (end = Promise.withResolvers()));
    return end;
  };
  const opened: Opened = { count: 0, onIdle: undefined };
  const server = await startScriptedServer((response, { body }) => {
    const { messages } = body as { readonly messages: readonly { readonly content: string }[] };
    const question = messages.at(-1)?.content ?? "";
    opened.count += 1;
    response.on("close", () => {
      opened.count -= 1;
      endOf(question).resolve(performance.now());
      if (opened.count === 0) opened.onIdle?.();
    });
    return answer(response, stub);
  });
  return {
    url: server.url,
    ended: (question) => endOf(question).promise,
    idle: () =>
      opened.count === 0
        ? Promise.resolve()
        : new Promise((resolve) => (opened.onIdle = () => resolve())),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function answer(response: ServerResponse, { tokenCount, intervalMs }: Stub): Promise<void> {
  const send = (choice: object): void => {
    const part = { model: "stub", choices: [{ index: 0, ...choice }] };
    response.write(`data: ${JSON.stringify(part)}\n\n`);
  };
  response.writeHead(200, { "content-type": "text/event-stream" });
  const startedMs = performance.now();
  for (let token = 1; token <= tokenCount && !response.destroyed; token += 1) {
    await sleep(Math.max(0, startedMs + token * intervalMs - performance.now()));
    send({ delta: { content: `${token} ` } });
  }
  send({ delta: {}, finish_reason: "stop" });
  response.end("data: [DONE]\n\n");
}
