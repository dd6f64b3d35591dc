import { controlFlags } from "../control-flags.ts";
import type { CommandSpec } from "../command.ts";
import { suspendedText } from "../watching/index.ts";
import { agentArgument, operate } from "./operate.ts";

/** `agentrt drain`. */
export const drainCommand: CommandSpec = {
  words: ["drain"],
  summary: "let an agent of a running topology finish what it has and take nothing new",
  arguments: [agentArgument],
  flags: [{ name: "reason", value: "text", summary: "what for" }, ...controlFlags],
  examples: [
    [
      'agentrt drain desk --reason "new prices"',
      "refuses new messages to it, and suspends it when none is left",
    ],
    ["agentrt resume desk", "lets it take messages again, also before it has finished"],
  ],
  run: async (input, io) => {
    const reason = input.text("reason");
    const body = reason === undefined ? {} : { reason };
    return await operate(
      { act: "drain", done: "drained", body, outcomeText: suspendedText },
      input,
      io,
    );
  },
};
