/** Plays a language model, so that this project needs no account: same question, same answer. */
import { setTimeout } from "node:timers/promises";
import { type ModelProvider, modelReply, type ModelRequest } from "agentrt";

const wordTimeMs = 20;
/** US dollars per million tokens. */
const price = { input: 3, output: 15 };

export class Script implements ModelProvider {
  readonly defaultModel = "script-1";

  async chat(request: ModelRequest) {
    return replyOf(request);
  }

  async *stream(request: ModelRequest) {
    const reply = replyOf(request);
    for (const text of reply.content.split(/(?<= )/)) {
      // Ends when nobody wants the answer any longer.
      await setTimeout(wordTimeMs, undefined, { signal: request.signal });
      yield { type: "text" as const, text };
    }
    yield { type: "end" as const, reply };
  }
}

function replyOf({ model, messages }: ModelRequest) {
  const asked = messages.filter(({ role }) => role === "user").map(({ content }) => content);
  const content = answerTo(messages[0]?.content ?? "", asked);
  const tokensIn = asked.join(" ").split(" ").length;
  const tokensOut = content.split(" ").length;
  const costUsd = (tokensIn * price.input + tokensOut * price.output) / 1e6;
  return modelReply({ model, content, tokensIn, tokensOut, costUsd });
}

function answerTo(task: string, asked: readonly string[]): string {
  const last = asked.at(-1) ?? "";
  if (task.startsWith("Which team"))
    return /invoice|refund|charged/i.test(last)
      ? "Billing"
      : /parcel/i.test(last)
        ? "Shipping"
        : "Other";
  if (/card/i.test(last)) return "Your card is 4111 1111 1111 1111.";
  const team = /the team (\w+)/.exec(task)?.[1] ?? "other";
  return `The team ${team} looks into your message number ${asked.length}: "${last}"`;
}
