import { controlFlags } from "../control-flags.ts";
import type { CommandSpec } from "../command.ts";
import { parsePayload } from "../parse-payload.ts";
import { agentArgument, operate } from "./operate.ts";

/** `agentrt inject`. */
export const injectCommand: CommandSpec = {
  words: ["inject"],
  summary:
    "put a message into the mailbox of an agent of a running topology, through its control plane",
  arguments: [
    agentArgument,
    { name: "json", summary: "payload, a JSON object; default {}", isOptional: true },
  ],
  flags: [
    { name: "type", value: "name", summary: "the message's type", default: "message" },
    ...controlFlags,
  ],
  examples: [
    [
      `agentrt inject desk '{"flush":true}' --type maintenance`,
      "sends it without waiting for a reply; prints the message's id",
    ],
    ["agentrt inject ticket/4711 -t demo/topology.yaml", "sends an empty one to one key"],
  ],
  run: async (input, io) => {
    const payload = parsePayload(input.arguments("json")[0] ?? "{}", "inject");
    const body = { type: input.text("type") ?? "", payload };
    const agent = input.argument("agent");
    const done = (answer: unknown): string => {
      const { id } = answer as { readonly id?: unknown };
      return `message ${String(id)} is in the mailbox of "${agent}"`;
    };
    return await operate({ act: "inject", route: "mailbox", done, body }, input, io);
  },
};
