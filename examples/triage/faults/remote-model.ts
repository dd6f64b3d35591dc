/** A language model behind a URL, whose server is part of the hour. Copied into the folder of the hour. */
import { setTimeout } from "node:timers/promises";
import { type ModelProvider, modelReply, type ModelRequest } from "agentrt";

export class Endpoint implements ModelProvider {
  readonly defaultModel = "endpoint-1";
  readonly #url: string;

  constructor(config: { url: string }) {
    this.#url = config.url;
  }

  async chat({ model, messages, signal }: ModelRequest) {
    // No time limit of its own: it waits for as long as it is let.
    const response = await fetch(this.#url, {
      method: "POST",
      body: JSON.stringify({ messages }),
      ...(signal === undefined ? {} : { signal }),
    });
    const answer = (await response.json()) as { content: string; in: number; out: number };
    const { content, in: tokensIn, out: tokensOut } = answer;
    return modelReply({ model, content, tokensIn, tokensOut });
  }

  async *stream(request: ModelRequest) {
    const reply = await this.chat(request);
    for (const text of reply.content.split(/(?<= )/)) {
      await setTimeout(20, undefined, { signal: request.signal });
      yield { type: "text" as const, text };
    }
    yield { type: "end" as const, reply };
  }
}
